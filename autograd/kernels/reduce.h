#pragma once

#include "base/types.h"

namespace tapehead::kernels {

// Reductions of contiguous rows. Each runs in a fixed number of independent lanes that are folded
// in a fixed order at the end: fast, and with the same bits wherever the row lies in memory.

/// sum_i x_i
template <typename Scalar>
Scalar sum(const Scalar* x, Index n);
/// sum_i a_i b_i
template <typename Scalar>
Scalar dot(const Scalar* a, const Scalar* b, Index n);
/// sum_i a_i (b_i - center)
template <typename Scalar>
Scalar dot_centered(const Scalar* a, const Scalar* b, Scalar center, Index n);
/// sum_i (x_i - center)^2
template <typename Scalar>
Scalar sum_squares_centered(const Scalar* x, Scalar center, Index n);
/// max_i x_i; -inf if n is 0. Whether a NaN is passed over is unspecified.
template <typename Scalar>
Scalar max(const Scalar* x, Index n);

}  // namespace tapehead::kernels
