#include "autograd/kernels/softmax.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "autograd/kernels/reduce.h"
#include "autograd/kernels/vector_math.h"

namespace tapehead::kernels {

namespace {

// y = exp(x - shift) and its sum.
template <typename Scalar>
Scalar exp_shifted(const Scalar* x, Scalar shift, Scalar* y, Index n, Index stride) {
  for (Index i = 0; i < n; ++i) y[i * stride] = x[i * stride] - shift;
  if (stride == 1) {
    exp(y, y, n);
    return sum(y, n);
  }
  Scalar total = 0;
  for (Index i = 0; i < n; ++i) {
    exp(y + i * stride, y + i * stride, 1);
    total += y[i * stride];
  }
  return total;
}

template <typename Scalar>
Scalar largest_of(const Scalar* x, Index n, Index stride) {
  if (stride == 1) return max(x, n);
  Scalar largest = -std::numeric_limits<Scalar>::infinity();
  for (Index i = 0; i < n; ++i) largest = std::max(largest, x[i * stride]);
  return largest;
}

}  // namespace

template <typename Scalar>
void softmax(const Scalar* x, Scalar* y, Index n, Index stride) {
  const Scalar largest = largest_of(x, n, stride);
  if (largest == -std::numeric_limits<Scalar>::infinity()) {
    // Zeros where every number is -inf; a NaN, which max() may pass over, must stay visible.
    for (Index i = 0; i < n; ++i)
      y[i * stride] = x[i * stride] == largest ? Scalar(0) : x[i * stride];
    return;
  }
  const Scalar scale = Scalar(1) / exp_shifted(x, largest, y, n, stride);
  for (Index i = 0; i < n; ++i) y[i * stride] *= scale;
}

template <typename Scalar>
void softmax_backward(const Scalar* y, const Scalar* dy, Scalar* dx, Index n, Index stride) {
  Scalar mean = 0;  // of dy under y
  if (stride == 1) {
    mean = dot(y, dy, n);
  } else {
    for (Index i = 0; i < n; ++i) mean += y[i * stride] * dy[i * stride];
  }
  for (Index i = 0; i < n; ++i) dx[i * stride] = y[i * stride] * (dy[i * stride] - mean);
}

template <typename Scalar>
void log_softmax(const Scalar* x, Scalar* y, Index n, Index stride) {
  const Scalar largest = largest_of(x, n, stride);
  if (largest == -std::numeric_limits<Scalar>::infinity()) {
    for (Index i = 0; i < n; ++i) y[i * stride] = x[i * stride];
    return;
  }
  const Scalar log_sum = std::log(exp_shifted(x, largest, y, n, stride));
  for (Index i = 0; i < n; ++i) y[i * stride] = (x[i * stride] - largest) - log_sum;
}

template <typename Scalar>
void log_softmax_backward(const Scalar* y, const Scalar* dy, Scalar* dx, Index n, Index stride) {
  Scalar total = 0;
  for (Index i = 0; i < n; ++i) total += dy[i * stride];
  // dx holds the probabilities for a while; they sum to 0 in a slice of only -inf.
  const Scalar probability = exp_shifted(y, Scalar(0), dx, n, stride);
  if (probability == Scalar(0)) {
    for (Index i = 0; i < n; ++i) dx[i * stride] = 0;
    return;
  }
  for (Index i = 0; i < n; ++i) dx[i * stride] = dy[i * stride] - dx[i * stride] * total;
}

template <typename Scalar>
void masked_softmax(const Scalar* x, const std::uint8_t* mask, Index mask_stride, Scalar* y,
                    Index n) {
  constexpr Scalar kMasked = -std::numeric_limits<Scalar>::infinity();
  for (Index i = 0; i < n; ++i) y[i] = mask[i * mask_stride] != 0 ? x[i] : kMasked;
  softmax(y, y, n, 1);
  // Exactly 0 even if a NaN among the others has spread.
  for (Index i = 0; i < n; ++i) y[i] = mask[i * mask_stride] != 0 ? y[i] : Scalar(0);
}

template <typename Scalar>
void masked_softmax_backward(const Scalar* y, const std::uint8_t* mask, Index mask_stride,
                             const Scalar* dy, Scalar* dx, Index n) {
  for (Index i = 0; i < n; ++i) dx[i] = mask[i * mask_stride] != 0 ? dy[i] : Scalar(0);
  softmax_backward(y, dx, dx, n, 1);
  for (Index i = 0; i < n; ++i) dx[i] = mask[i * mask_stride] != 0 ? dx[i] : Scalar(0);
}

template void softmax(const float*, float*, Index, Index);
template void softmax(const double*, double*, Index, Index);
template void softmax_backward(const float*, const float*, float*, Index, Index);
template void softmax_backward(const double*, const double*, double*, Index, Index);
template void log_softmax(const float*, float*, Index, Index);
template void log_softmax(const double*, double*, Index, Index);
template void log_softmax_backward(const float*, const float*, float*, Index, Index);
template void log_softmax_backward(const double*, const double*, double*, Index, Index);
template void masked_softmax(const float*, const std::uint8_t*, Index, float*, Index);
template void masked_softmax(const double*, const std::uint8_t*, Index, double*, Index);
template void masked_softmax_backward(const float*, const std::uint8_t*, Index, const float*,
                                      float*, Index);
template void masked_softmax_backward(const double*, const std::uint8_t*, Index, const double*,
                                      double*, Index);

}  // namespace tapehead::kernels
