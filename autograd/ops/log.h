#pragma once

#include "autograd/tape.h"

namespace tapehead {

/// Natural logarithm.
///
///   y  = log x
///   dx = dy / x
///
/// x: any shape; y: the same. log 0 = -inf and log of a negative number is NaN, as in IEEE
/// arithmetic. Keeps for backward: x.
template <typename Scalar>
Var<Scalar> log(const Var<Scalar>& x);

}  // namespace tapehead
