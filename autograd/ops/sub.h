#pragma once

#include "autograd/tape.h"

namespace tapehead {

/// Difference, with NumPy's broadcasting.
///
///   y  = a - b
///   da = dy,  db = -dy, each summed over the dimensions along which it was repeated
///
/// a, b: shapes aligned at the last dimension, sizes equal or 1; y: the larger size of each. Throws
/// ShapeError if the shapes do not fit. Keeps for backward: nothing.
template <typename Scalar>
Var<Scalar> sub(const Var<Scalar>& a, const Var<Scalar>& b);

}  // namespace tapehead
