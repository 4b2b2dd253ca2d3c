#include "autograd/kernels/reduce_axis.h"

#include <algorithm>

#include "autograd/kernels/parallel.h"
#include "autograd/kernels/reduce.h"

namespace tapehead::kernels {

namespace {

// Slices that a thread takes at a time.
constexpr Index kSlicesPerChunk = 256;

// Calls body(o, begin, end) for the slices (o, begin .. end) of the chunks of all slices.
template <typename Body>
void for_each_slice_range(const AxisView& view, int threads, const Body& body) {
  parallel_chunks(threads, view.slices(), kSlicesPerChunk, [&](Index begin, Index end) {
    while (begin < end) {
      const Index o = begin / view.inner;
      const Index first = begin - o * view.inner;
      const Index last = std::min(view.inner, first + (end - begin));
      body(o, first, last);
      begin += last - first;
    }
  });
}

}  // namespace

template <typename Scalar>
void sum_axis(const AxisView& view, const Scalar* x, Scalar* y, Scalar divisor, int threads) {
  for_each_slice_range(view, threads, [&](Index o, Index begin, Index end) {
    const Scalar* from = x + o * view.length * view.inner;
    Scalar* __restrict to = y + o * view.inner;
    if (view.inner == 1) {
      to[0] = sum(from, view.length) / divisor;
      return;
    }
    std::fill(to + begin, to + end, Scalar(0));
    for (Index j = 0; j < view.length; ++j) {
      const Scalar* __restrict row = from + j * view.inner;
      for (Index i = begin; i < end; ++i) to[i] += row[i];
    }
    for (Index i = begin; i < end; ++i) to[i] /= divisor;
  });
}

template <typename Scalar>
void spread_axis(const AxisView& view, const Scalar* dy, Scalar* dx, Scalar divisor, int threads) {
  for_each_slice_range(view, threads, [&](Index o, Index begin, Index end) {
    const Scalar* __restrict from = dy + o * view.inner;
    for (Index j = 0; j < view.length; ++j) {
      Scalar* __restrict row = dx + (o * view.length + j) * view.inner;
      for (Index i = begin; i < end; ++i) row[i] = from[i] / divisor;
    }
  });
}

template void sum_axis(const AxisView&, const float*, float*, float, int);
template void sum_axis(const AxisView&, const double*, double*, double, int);
template void spread_axis(const AxisView&, const float*, float*, float, int);
template void spread_axis(const AxisView&, const double*, double*, double, int);

}  // namespace tapehead::kernels
