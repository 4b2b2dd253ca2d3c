#pragma once

#include <algorithm>

#include "autograd/kernels/axis.h"
#include "base/parallel.h"

namespace tapehead::kernels {

/// Slices that a thread takes at a time; also the largest width of a range of neighbours.
inline constexpr Index kSlicesPerRange = 256;

/// Slices that lie next to each other: element j of slice i stands at from + j * inner + i in the
/// whole array, and the slice's result at result + i, for i in [0, width).
struct SliceRange {
  Index from, result, width;
};

/// Calls body(range) for ranges of at most kSlicesPerRange neighbouring slices that together cover
/// all of them. Slices along the last axis (inner = 1) have no neighbours: each comes alone.
template <typename Body>
void for_each_slice_range(const AxisView& view, int threads, const Body& body) {
  parallel_chunks(threads, view.slices(), kSlicesPerRange, [&](Index begin, Index end) {
    while (begin < end) {
      const Index outer = begin / view.inner;
      const Index first = begin - outer * view.inner;
      const Index width = std::min(view.inner - first, end - begin);
      body(SliceRange{outer * view.length * view.inner + first, begin, width});
      begin += width;
    }
  });
}

}  // namespace tapehead::kernels
