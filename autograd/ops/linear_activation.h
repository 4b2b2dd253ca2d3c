#pragma once

#include "autograd/ops/activation_kind.h"
#include "autograd/tape.h"

namespace tapehead {

/// The affine map of each row and an activation f, in one op: y = f(x W^T + b).
///
///   z_ro = sum_i x_ri W_oi + b_o,  y = f(z)
///   dz = dy f'(z),  dx = dz W,  dW = dz^T x,  db_o = sum_r dz_ro
///
/// The same bits as f(linear(x, weight, bias)). f' is computed with f, from the same exponentials,
/// and kept in place of z; db is added up while dz is near.
///
/// x: (..., in); weight: (out, in); bias: (out), none if empty; y: (..., out). Throws ShapeError if
/// they do not fit. Keeps for backward: x, weight, f'(z); for relu, y in place of f'(z).
template <typename Scalar>
Var<Scalar> linear_activation(const Var<Scalar>& x, const Var<Scalar>& weight,
                              const Var<Scalar>& bias, Activation activation);

}  // namespace tapehead
