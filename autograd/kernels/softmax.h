#pragma once

#include "autograd/types.h"

namespace tapehead::kernels {

/// y = softmax(x) over n numbers at distance `stride`. A slice of only -inf gives zeros. y may be
/// x.
template <typename Scalar>
void softmax(const Scalar* x, Scalar* y, Index n, Index stride = 1);

/// dx_i = y_i (dy_i - sum_j y_j dy_j) over n numbers at distance `stride`. dx may be dy.
template <typename Scalar>
void softmax_backward(const Scalar* y, const Scalar* dy, Scalar* dx, Index n, Index stride = 1);

}  // namespace tapehead::kernels
