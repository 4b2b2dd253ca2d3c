#pragma once

#include "autograd/tape.h"

namespace tapehead {

/// Rectifier.
///
///   y  = max(x, 0)
///   dx = dy where x > 0, else 0
///
/// x: any shape; y: the same. At the kink, x = 0, the gradient is 0, as in PyTorch; a NaN stays
/// NaN. Keeps for backward: y.
template <typename Scalar>
Var<Scalar> relu(const Var<Scalar>& x);

}  // namespace tapehead
