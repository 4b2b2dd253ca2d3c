#pragma once

#include <span>

#include "base/shape.h"

namespace tapehead::kernels {

/// Writes x, of shape `shape`, with its dimensions in another order: dimension d of y is dimension
/// axes[d] of x.
template <typename Scalar>
void permute(const Scalar* x, const Shape& shape, std::span<const int> axes, Scalar* y,
             int threads);

}  // namespace tapehead::kernels
