#pragma once

#include "autograd/tape.h"

namespace tapehead {

/// Root-mean-square normalisation of each row (the last axis).
///
///   xhat = x rstd,  rstd = 1 / sqrt(mean(x^2) + eps)
///   y    = xhat w
///   dx   = rstd (g - xhat mean(g xhat)) with g = dy w
///   dw   = sum over rows of dy xhat
///
/// x: (..., n), n >= 1; weight: (n); y: as x. Throws ShapeError if they do not fit, ValueError
/// unless eps >= 0. Keeps for backward: x, weight, rstd of each row. Source: Zhang and Sennrich,
/// Root Mean Square Layer Normalization (2019), equation 4.
template <typename Scalar>
Var<Scalar> rms_norm(const Var<Scalar>& x, const Var<Scalar>& weight, double eps = 1e-6);

}  // namespace tapehead
