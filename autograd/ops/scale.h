#pragma once

#include "autograd/tape.h"

namespace tapehead {

/// Product with a constant.
///
///   y  = factor x
///   dx = factor dy
///
/// x: any shape; y: the same. The factor is rounded to Scalar. Keeps for backward: nothing.
template <typename Scalar>
Var<Scalar> scale(const Var<Scalar>& x, double factor);

}  // namespace tapehead
