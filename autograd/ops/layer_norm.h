#pragma once

#include "autograd/tape.h"

namespace tapehead {

/// Layer normalisation of each row (the last axis).
///
///   xhat = (x - mean(x)) rstd,  rstd = 1 / sqrt(mean((x - mean(x))^2) + eps)
///   y    = xhat w + b
///   dx   = rstd (g - mean(g) - xhat mean(g xhat)) with g = dy w
///   dw   = sum over rows of dy xhat,  db = sum over rows of dy
///
/// x: (..., n), n >= 1; weight, bias: (n); y: as x. Throws ShapeError if they do not fit,
/// ValueError unless eps >= 0. Keeps for backward: x, weight, mean and rstd of each row.
template <typename Scalar>
Var<Scalar> layer_norm(const Var<Scalar>& x, const Var<Scalar>& weight, const Var<Scalar>& bias,
                       double eps = 1e-5);

/// The same without a bias.
template <typename Scalar>
Var<Scalar> layer_norm(const Var<Scalar>& x, const Var<Scalar>& weight, double eps = 1e-5);

}  // namespace tapehead
