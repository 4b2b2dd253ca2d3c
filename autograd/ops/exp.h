#pragma once

#include "autograd/tape.h"

namespace tapehead {

/// Exponential.
///
///   y  = exp x
///   dx = dy y
///
/// x: any shape; y: the same. Overflow gives infinity; results below the smallest normal number are
/// 0. Keeps for backward: y.
template <typename Scalar>
Var<Scalar> exp(const Var<Scalar>& x);

}  // namespace tapehead
