#pragma once

#include <algorithm>

#include "base/types.h"

namespace tapehead::kernels {

// Rows of n numbers that lie from_stride and to_stride apart: what joining and cutting arrays
// comes down to.

/// to = from.
template <typename Scalar>
void copy_rows(const Scalar* from, Index from_stride, Scalar* to, Index to_stride, Index rows,
               Index n) {
  for (Index r = 0; r < rows; ++r) std::copy_n(from + r * from_stride, n, to + r * to_stride);
}

/// to += from.
template <typename Scalar>
void add_rows(const Scalar* from, Index from_stride, Scalar* to, Index to_stride, Index rows,
              Index n) {
  for (Index r = 0; r < rows; ++r) {
    const Scalar* __restrict term = from + r * from_stride;
    Scalar* __restrict sum = to + r * to_stride;
    for (Index i = 0; i < n; ++i) sum[i] += term[i];
  }
}

}  // namespace tapehead::kernels
