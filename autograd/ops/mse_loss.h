#pragma once

#include "autograd/tape.h"

namespace tapehead {

/// Mean squared error.
///
///   y = sum_i (x_i - target_i)^2 / n
///   dx = 2 (x - target) dy / n,  dtarget = -dx
///
/// x, target: any equal shape of n numbers; y: a scalar, 0 if n = 0. Throws ShapeError if the
/// shapes differ. Keeps for backward: x, target.
template <typename Scalar>
Var<Scalar> mse_loss(const Var<Scalar>& x, const Var<Scalar>& target);

}  // namespace tapehead
