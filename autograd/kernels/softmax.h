#pragma once

#include <cstdint>

#include "base/types.h"

namespace tapehead::kernels {

/// y = softmax(x) over n numbers at distance `stride`. A slice of only -inf gives zeros. y may be
/// x.
template <typename Scalar>
void softmax(const Scalar* x, Scalar* y, Index n, Index stride = 1);

/// dx_i = y_i (dy_i - sum_j y_j dy_j) over n numbers at distance `stride`. dx may be dy.
template <typename Scalar>
void softmax_backward(const Scalar* y, const Scalar* dy, Scalar* dx, Index n, Index stride = 1);

/// y = x - log(sum_j exp(x_j)) over n numbers at distance `stride`. A slice of only -inf stays.
/// y must not be x.
template <typename Scalar>
void log_softmax(const Scalar* x, Scalar* y, Index n, Index stride = 1);

/// dx_i = dy_i - exp(y_i) sum_j dy_j over n numbers at distance `stride`; zeros for a slice of only
/// -inf. dx must not be dy.
template <typename Scalar>
void log_softmax_backward(const Scalar* y, const Scalar* dy, Scalar* dx, Index n, Index stride = 1);

/// Softmax over those of n numbers whose mask (0 or 1, at distance `mask_stride`) is 1; exactly 0
/// at the others, whatever x holds there. y may be x.
template <typename Scalar>
void masked_softmax(const Scalar* x, const std::uint8_t* mask, Index mask_stride, Scalar* y,
                    Index n);

/// As softmax_backward over the numbers whose mask is 1; exactly 0 at the others, whatever dy holds
/// there. dx may be dy.
template <typename Scalar>
void masked_softmax_backward(const Scalar* y, const std::uint8_t* mask, Index mask_stride,
                             const Scalar* dy, Scalar* dx, Index n);

}  // namespace tapehead::kernels
