#pragma once

#include "autograd/tape.h"

namespace tapehead {

/// The affine map of each row: y = x W^T + b.
///
///   y_ro = sum_i x_ri W_oi + b_o
///   dx = dy W,  dW = dy^T x,  db_o = sum_r dy_ro
///
/// x: (..., in); weight: (out, in); bias: (out), none if empty; y: (..., out). Throws ShapeError if
/// they do not fit. Keeps for backward: x, weight.
template <typename Scalar>
Var<Scalar> linear(const Var<Scalar>& x, const Var<Scalar>& weight, const Var<Scalar>& bias = {});

}  // namespace tapehead
