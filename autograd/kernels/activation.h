#pragma once

#include "base/types.h"

namespace tapehead::kernels {

// Activations that take several passes over their numbers, in blocks small enough for the L1
// cache. As in vector_math.h, a result does not depend on where in the array it stands. y may not
// be x, nor dx any input.

/// y = x Phi(x), Phi(x) = (1 + erf(x / sqrt 2)) / 2. In float, erf is Eigen's rational function (a
/// polynomial of degree 13 over one of degree 8), and |y - x Phi(x)| <= 4e-7 (1 + |x|), that is
/// within a few units in the last place of |x|.
template <typename Scalar>
void gelu_exact(const Scalar* x, Scalar* y, Index n);
/// dx = dy (Phi(x) + x phi(x)), phi(x) = exp(-x^2 / 2) / sqrt(2 pi).
template <typename Scalar>
void gelu_exact_backward(const Scalar* x, const Scalar* dy, Scalar* dx, Index n);
/// x = f(x) in place, slope = f'(x) beside it, f being gelu_exact: one erf for both. The same bits
/// as gelu_exact() and, times dy, gelu_exact_backward().
template <typename Scalar>
void gelu_exact_with_slope(Scalar* x, Scalar* slope, Index n);

/// y = x (1 + tanh u) / 2, u = sqrt(2 / pi) (x + 0.044715 x^3).
template <typename Scalar>
void gelu_tanh(const Scalar* x, Scalar* y, Index n);
/// dx = dy (1 + tanh u + x (1 - tanh^2 u) u') / 2.
template <typename Scalar>
void gelu_tanh_backward(const Scalar* x, const Scalar* dy, Scalar* dx, Index n);
/// As gelu_exact_with_slope(): one tanh for both.
template <typename Scalar>
void gelu_tanh_with_slope(Scalar* x, Scalar* slope, Index n);

/// y = x sigmoid(x).
template <typename Scalar>
void silu(const Scalar* x, Scalar* y, Index n);
/// dx = dy s (1 + x (1 - s)), s = sigmoid(x).
template <typename Scalar>
void silu_backward(const Scalar* x, const Scalar* dy, Scalar* dx, Index n);
/// As gelu_exact_with_slope(): one sigmoid for both.
template <typename Scalar>
void silu_with_slope(Scalar* x, Scalar* slope, Index n);

/// y = log(1 + exp x) = max(x, 0) + log1p(exp(-|x|)), to full relative accuracy.
template <typename Scalar>
void softplus(const Scalar* x, Scalar* y, Index n);
/// dx = dy sigmoid(x).
template <typename Scalar>
void softplus_backward(const Scalar* x, const Scalar* dy, Scalar* dx, Index n);

}  // namespace tapehead::kernels
