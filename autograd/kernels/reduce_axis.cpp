#include "autograd/kernels/reduce_axis.h"

#include <algorithm>
#include <array>
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

namespace {

// A NaN that is met replaces the maximum, and no number replaces a NaN.
template <typename Scalar>
Scalar larger_or_nan(Scalar a, Scalar b) {
  return a >= b || std::isnan(a) ? a : b;
}

// The largest of numbers that lie side by side, or NaN: so many maxima at a time.
template <typename Scalar>
Scalar row_max(const Scalar* x, Index n) {
  constexpr Index kMaxima = 16;
  std::array<Scalar, static_cast<std::size_t>(kMaxima)> most;
  most.fill(x[0]);
  Scalar* __restrict to = most.data();
  Index i = 0;
  for (; i + kMaxima <= n; i += kMaxima) {
    for (Index j = 0; j < kMaxima; ++j) to[j] = larger_or_nan(to[j], x[i + j]);
  }
  for (; i < n; ++i) to[0] = larger_or_nan(to[0], x[i]);
  for (Index j = 1; j < kMaxima; ++j) to[0] = larger_or_nan(to[0], to[j]);
  return to[0];
}

}  // namespace

template <typename Scalar>
void max_axis(const AxisView& view, const Scalar* x, Scalar* y, int threads) {
  for_each_slice_range(view, threads, [&](const SliceRange& range) {
    Scalar* __restrict to = y + range.result;
    if (view.inner == 1) {
      to[0] = row_max(x + range.from, view.length);
      return;
    }
    std::copy_n(x + range.from, range.width, to);
    for (Index j = 1; j < view.length; ++j) {
      const Scalar* __restrict row = x + range.from + j * view.inner;
      for (Index i = 0; i < range.width; ++i) {
        to[i] = larger_or_nan(to[i], row[i]);
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
