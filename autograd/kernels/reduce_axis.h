#pragma once

#include "autograd/kernels/axis.h"

namespace tapehead::kernels {

/// y_s = (sum of slice s along the axis) / divisor, for every slice.
template <typename Scalar>
void sum_axis(const AxisView& view, const Scalar* x, Scalar* y, Scalar divisor, int threads);

/// The adjoint: every element of slice s is set to dy_s / divisor.
template <typename Scalar>
void spread_axis(const AxisView& view, const Scalar* dy, Scalar* dx, Scalar divisor, int threads);

}  // namespace tapehead::kernels
