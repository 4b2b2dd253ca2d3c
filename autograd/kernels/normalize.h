#pragma once

#include "base/types.h"

namespace tapehead::kernels {

/// y_j = (x_j - mean) rstd w_j + b_j over a row of n numbers, rstd = 1 / sqrt(variance + eps);
/// writes the row's mean and rstd. A null b counts as zeros.
template <typename Scalar>
void layer_norm(const Scalar* x, const Scalar* w, const Scalar* b, Scalar eps, Index n, Scalar* y,
                Scalar* mean, Scalar* rstd);

/// dx_j = rstd (g_j - avg(g) - xhat_j avg(g xhat)) with g = dy w, xhat = (x - mean) rstd.
template <typename Scalar>
void layer_norm_backward(const Scalar* x, const Scalar* w, const Scalar* dy, Scalar mean,
                         Scalar rstd, Index n, Scalar* dx);

/// y_j = x_j rstd w_j over a row of n numbers, rstd = 1 / sqrt(avg(x^2) + eps); writes rstd.
template <typename Scalar>
void rms_norm(const Scalar* x, const Scalar* w, Scalar eps, Index n, Scalar* y, Scalar* rstd);

/// dx_j = rstd (g_j - xhat_j avg(g xhat)) with g = dy w, xhat = x rstd.
template <typename Scalar>
void rms_norm_backward(const Scalar* x, const Scalar* w, const Scalar* dy, Scalar rstd, Index n,
                       Scalar* dx);

}  // namespace tapehead::kernels
