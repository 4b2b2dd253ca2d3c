#pragma once

#include "autograd/tape.h"

namespace tapehead {

/// Elementwise quotient, with NumPy's broadcasting.
///
///   y  = a / b
///   da = dy / b,  db = -dy y / b, each summed over the dimensions along which it was repeated
///
/// Division by zero gives what IEEE arithmetic gives.
/// a, b: shapes aligned at the last dimension, sizes equal or 1; y: the larger size of each. Throws
/// ShapeError if the shapes do not fit. Keeps for backward: a, b, y.
template <typename Scalar>
Var<Scalar> div(const Var<Scalar>& a, const Var<Scalar>& b);

}  // namespace tapehead
