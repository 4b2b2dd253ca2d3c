#pragma once

#include "autograd/tape.h"

namespace tapehead {

/// Square.
///
///   y  = x^2
///   dx = 2 x dy
///
/// x: any shape; y: the same. Keeps for backward: x.
template <typename Scalar>
Var<Scalar> square(const Var<Scalar>& x);

}  // namespace tapehead
