#pragma once

#include "autograd/tape.h"

namespace tapehead {

/// Hyperbolic tangent.
///
///   y  = tanh x
///   dx = dy (1 - y^2)
///
/// x: any shape; y: the same. Keeps for backward: y.
template <typename Scalar>
Var<Scalar> tanh(const Var<Scalar>& x);

}  // namespace tapehead
