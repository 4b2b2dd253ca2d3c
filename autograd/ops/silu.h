#pragma once

#include "autograd/tape.h"

namespace tapehead {

/// Sigmoid linear unit, also called swish.
///
///   y  = x s,  s = sigmoid(x)
///   dx = dy s (1 + x (1 - s))
///
/// x: any shape; y: the same. Keeps for backward: x.
template <typename Scalar>
Var<Scalar> silu(const Var<Scalar>& x);

}  // namespace tapehead
