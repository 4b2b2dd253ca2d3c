#pragma once

#include "autograd/tape.h"

namespace tapehead {

/// Square root.
///
///   y  = sqrt x
///   dx = dy / (2 y)
///
/// x: any shape; y: the same. The root of a negative number is NaN; at 0 the derivative is
/// infinite, so a gradient that arrives there becomes infinite (NaN if it is 0). Keeps for
/// backward: y.
template <typename Scalar>
Var<Scalar> sqrt(const Var<Scalar>& x);

}  // namespace tapehead
