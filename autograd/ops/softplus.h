#pragma once

#include "autograd/tape.h"

namespace tapehead {

/// Smooth rectifier.
///
///   y  = log(1 + exp x) = max(x, 0) + log1p(exp(-|x|))
///   dx = dy sigmoid(x)
///
/// x: any shape; y: the same, without overflow and to full relative accuracy for any x. Keeps for
/// backward: x.
template <typename Scalar>
Var<Scalar> softplus(const Var<Scalar>& x);

}  // namespace tapehead
