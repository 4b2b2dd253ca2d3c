#include <array>
#include <cmath>
#include <limits>

#include "autograd/kernels/reduce.h"
#include "autograd/kernels/reduce_axis.h"
#include "autograd/kernels/slices.h"
#include "autograd/kernels/vector_math.h"

namespace tapehead::kernels {

namespace {

// Numbers of a row that are worked on at a time.
constexpr Index kLogsumexpBlock = kSlicesPerRange;
template <typename Scalar>
using Block = std::array<Scalar, kLogsumexpBlock>;

// sum_i exp(x_i - largest)
template <typename Scalar>
Scalar sum_exp(const Scalar* x, Scalar largest, Index n) {
  Scalar total = 0;
  for (Index at = 0; at < n; at += kLogsumexpBlock) {
    Block<Scalar> e{};
    const Index m = std::min(kLogsumexpBlock, n - at);
    for (Index i = 0; i < m; ++i) e.data()[i] = x[at + i] - largest;
    exp(e.data(), e.data(), m);
    total += sum(e.data(), m);
  }
  return total;
}

// total_i = sum_j exp(x_ji - largest_i), rows j lying `stride` apart.
template <typename Scalar>
Block<Scalar> sum_exp_columns(const Scalar* x, Index rows, Index stride, const Scalar* largest,
                              Index width) {
  Block<Scalar> total{}, e{};
  for (Index j = 0; j < rows; ++j) {
    for (Index i = 0; i < width; ++i) e.data()[i] = x[j * stride + i] - largest[i];
    exp(e.data(), e.data(), width);
    for (Index i = 0; i < width; ++i) total.data()[i] += e.data()[i];
  }
  return total;
}

}  // namespace

template <typename Scalar>
void logsumexp_axis(const AxisView& view, const Scalar* x, Scalar* y, int threads) {
  if (view.length == 0) {
    std::fill_n(y, view.slices(), -std::numeric_limits<Scalar>::infinity());
    return;
  }
  max_axis(view, x, y, threads);
  for_each_slice_range(view, threads, [&](const SliceRange& range) {
    Scalar* to = y + range.result;
    Block<Scalar> total{};
    if (view.inner == 1) {
      total[0] = sum_exp(x + range.from, to[0], view.length);
    } else {
      total = sum_exp_columns(x + range.from, view.length, view.inner, to, range.width);
    }
    for (Index i = 0; i < range.width; ++i) {
      // An infinite or NaN maximum is the result; its total is NaN.
      if (std::isfinite(to[i])) to[i] += std::log(total.data()[i]);
    }
  });
}

namespace {

// dx_i = dy exp(x_i - y), the numbers of one slice lying side by side.
template <typename Scalar>
void logsumexp_row_backward(const Scalar* x, Scalar y, Scalar dy, Scalar* dx, Index n) {
  constexpr Scalar kNothing = -std::numeric_limits<Scalar>::infinity();
  for (Index i = 0; i < n; ++i) dx[i] = y == kNothing ? kNothing : x[i] - y;
  exp(dx, dx, n);
  for (Index i = 0; i < n; ++i) dx[i] *= dy;
}

}  // namespace

template <typename Scalar>
void logsumexp_axis_backward(const AxisView& view, const Scalar* x, const Scalar* y,
                             const Scalar* dy, Scalar* dx, int threads) {
  constexpr Scalar kNothing = -std::numeric_limits<Scalar>::infinity();
  for_each_slice_range(view, threads, [&](const SliceRange& range) {
    const Scalar* of = y + range.result;
    const Scalar* slope = dy + range.result;
    if (view.inner == 1) {
      logsumexp_row_backward(x + range.from, of[0], slope[0], dx + range.from, view.length);
      return;
    }
    for (Index j = 0; j < view.length; ++j) {
      const Scalar* from = x + range.from + j * view.inner;
      Scalar* to = dx + range.from + j * view.inner;
      for (Index i = 0; i < range.width; ++i) {
        to[i] = of[i] == kNothing ? kNothing : from[i] - of[i];
      }
      exp(to, to, range.width);
      for (Index i = 0; i < range.width; ++i) to[i] *= slope[i];
    }
  });
}

template void logsumexp_axis(const AxisView&, const float*, float*, int);
template void logsumexp_axis(const AxisView&, const double*, double*, int);
template void logsumexp_axis_backward(const AxisView&, const float*, const float*, const float*,
                                      float*, int);
template void logsumexp_axis_backward(const AxisView&, const double*, const double*, const double*,
                                      double*, int);

}  // namespace tapehead::kernels
