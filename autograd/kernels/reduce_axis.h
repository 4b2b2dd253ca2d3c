#pragma once

#include "autograd/kernels/axis.h"

namespace tapehead::kernels {

// Reductions of every slice along an axis, and their adjoints. Each slice is reduced whole, in the
// order of its elements, so the bits do not depend on the number of threads.

/// y_s = (sum of slice s) / divisor.
template <typename Scalar>
void sum_axis(const AxisView& view, const Scalar* x, Scalar* y, Scalar divisor, int threads);
/// Every element of slice s is set to dy_s / divisor.
template <typename Scalar>
void sum_axis_backward(const AxisView& view, const Scalar* dy, Scalar* dx, Scalar divisor,
                       int threads);

/// y_s = largest element of slice s, which has one; a NaN counts as the largest.
template <typename Scalar>
void max_axis(const AxisView& view, const Scalar* x, Scalar* y, int threads);
/// The first element of slice s that equals y_s is set to dy_s; the others are left alone.
template <typename Scalar>
void max_axis_backward(const AxisView& view, const Scalar* x, const Scalar* y, const Scalar* dy,
                       Scalar* dx, int threads);

/// y_s = log sum_j exp(x_j) over slice s; -inf if the slice is empty or all -inf.
template <typename Scalar>
void logsumexp_axis(const AxisView& view, const Scalar* x, Scalar* y, int threads);
/// dx_i = dy_s exp(x_i - y_s), 0 where y_s is -inf.
template <typename Scalar>
void logsumexp_axis_backward(const AxisView& view, const Scalar* x, const Scalar* y,
                             const Scalar* dy, Scalar* dx, int threads);

}  // namespace tapehead::kernels
