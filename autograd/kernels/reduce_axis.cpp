#include "autograd/kernels/reduce_axis.h"

#include <algorithm>
#include <cmath>

#include "autograd/kernels/reduce.h"
#include "autograd/kernels/slices.h"

namespace tapehead::kernels {

template <typename Scalar>
void sum_axis(const AxisView& view, const Scalar* x, Scalar* y, Scalar divisor, int threads) {
  for_each_slice_range(view, threads, [&](const SliceRange& range) {
    Scalar* __restrict to = y + range.result;
    if (view.inner == 1) {
      to[0] = sum(x + range.from, view.length) / divisor;
      return;
    }
    std::fill_n(to, range.width, Scalar(0));
    for (Index j = 0; j < view.length; ++j) {
      const Scalar* __restrict row = x + range.from + j * view.inner;
      for (Index i = 0; i < range.width; ++i) to[i] += row[i];
    }
    for (Index i = 0; i < range.width; ++i) to[i] /= divisor;
  });
}

template <typename Scalar>
void sum_axis_backward(const AxisView& view, const Scalar* dy, Scalar* dx, Scalar divisor,
                       int threads) {
  for_each_slice_range(view, threads, [&](const SliceRange& range) {
    const Scalar* __restrict from = dy + range.result;
    if (view.inner == 1) {
      std::fill_n(dx + range.from, view.length, from[0] / divisor);
      return;
    }
    for (Index j = 0; j < view.length; ++j) {
      Scalar* __restrict row = dx + range.from + j * view.inner;
      for (Index i = 0; i < range.width; ++i) row[i] = from[i] / divisor;
    }
  });
}

template <typename Scalar>
void max_axis(const AxisView& view, const Scalar* x, Scalar* y, int threads) {
  for_each_slice_range(view, threads, [&](const SliceRange& range) {
    Scalar* __restrict to = y + range.result;
    std::copy_n(x + range.from, range.width, to);
    for (Index j = 1; j < view.length; ++j) {
      const Scalar* __restrict row = x + range.from + j * view.inner;
      for (Index i = 0; i < range.width; ++i) {
        // A NaN that is met replaces the maximum, and no number replaces a NaN.
        to[i] = to[i] >= row[i] || std::isnan(to[i]) ? to[i] : row[i];
      }
    }
  });
}

template <typename Scalar>
void max_axis_backward(const AxisView& view, const Scalar* x, const Scalar* y, const Scalar* dy,
                       Scalar* dx, int threads) {
  for_each_slice_range(view, threads, [&](const SliceRange& range) {
    for (Index i = 0; i < range.width; ++i) {
      const Scalar largest = y[range.result + i];
      for (Index j = 0; j < view.length; ++j) {
        const Index at = range.from + j * view.inner + i;
        if (x[at] == largest || (std::isnan(x[at]) && std::isnan(largest))) {
          dx[at] = dy[range.result + i];
          break;
        }
      }
    }
  });
}

template void sum_axis(const AxisView&, const float*, float*, float, int);
template void sum_axis(const AxisView&, const double*, double*, double, int);
template void sum_axis_backward(const AxisView&, const float*, float*, float, int);
template void sum_axis_backward(const AxisView&, const double*, double*, double, int);
template void max_axis(const AxisView&, const float*, float*, int);
template void max_axis(const AxisView&, const double*, double*, int);
template void max_axis_backward(const AxisView&, const float*, const float*, const float*, float*,
                                int);
template void max_axis_backward(const AxisView&, const double*, const double*, const double*,
                                double*, int);

}  // namespace tapehead::kernels
