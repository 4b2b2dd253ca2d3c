#pragma once

#include "base/shape.h"

namespace tapehead::kernels {

/// A contiguous array seen as `outer` x `length` x `inner`, `length` being the axis of interest:
/// element j of slice (o, i) stands at (o * length + j) * inner + i.
struct AxisView {
  Index outer = 1, length = 1, inner = 1;

  AxisView(const Shape& shape, int axis) : length(shape[axis]) {
    for (int d = 0; d < axis; ++d) outer *= shape[d];
    for (int d = axis + 1; d < shape.rank(); ++d) inner *= shape[d];
  }
  /// Number of slices along the axis.
  Index slices() const { return outer * inner; }
  /// First element of slice s; the next ones follow at distance `inner`.
  Index start(Index s) const { return s / inner * length * inner + s % inner; }
};

}  // namespace tapehead::kernels
