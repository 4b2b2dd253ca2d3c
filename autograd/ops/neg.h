#pragma once

#include "autograd/tape.h"

namespace tapehead {

/// Negative.
///
///   y = -x,  dx = -dy
///
/// x: any shape; y: the same. Keeps for backward: nothing.
template <typename Scalar>
Var<Scalar> neg(const Var<Scalar>& x);

}  // namespace tapehead
