#pragma once

#include "autograd/tape.h"

namespace tapehead {

/// Logistic function.
///
///   y  = 1 / (1 + exp(-x))
///   dx = dy y (1 - y)
///
/// x: any shape; y: the same, without overflow for any x. Keeps for backward: y.
template <typename Scalar>
Var<Scalar> sigmoid(const Var<Scalar>& x);

}  // namespace tapehead
