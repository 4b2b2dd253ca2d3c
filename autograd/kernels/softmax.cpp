#include "autograd/kernels/softmax.h"

#include <algorithm>
#include <limits>

#include "autograd/kernels/vector_math.h"

namespace tapehead::kernels {

template <typename Scalar>
void softmax(const Scalar* x, Scalar* y, Index n, Index stride) {
  Scalar largest = -std::numeric_limits<Scalar>::infinity();
  for (Index i = 0; i < n; ++i) largest = std::max(largest, x[i * stride]);
  if (largest == -std::numeric_limits<Scalar>::infinity()) {
    // Zeros where every number is -inf; a NaN, which max() passes over, must stay visible.
    for (Index i = 0; i < n; ++i)
      y[i * stride] = x[i * stride] == largest ? Scalar(0) : x[i * stride];
    return;
  }
  for (Index i = 0; i < n; ++i) y[i * stride] = x[i * stride] - largest;
  if (stride == 1) {
    exp(y, y, n);
  } else {
    for (Index i = 0; i < n; ++i) exp(y + i * stride, y + i * stride, 1);
  }
  Scalar sum = 0;
  for (Index i = 0; i < n; ++i) sum += y[i * stride];
  const Scalar scale = Scalar(1) / sum;
  for (Index i = 0; i < n; ++i) y[i * stride] *= scale;
}

template <typename Scalar>
void softmax_backward(const Scalar* y, const Scalar* dy, Scalar* dx, Index n, Index stride) {
  Scalar mean = 0;  // of dy under y
  for (Index i = 0; i < n; ++i) mean += y[i * stride] * dy[i * stride];
  for (Index i = 0; i < n; ++i) dx[i * stride] = y[i * stride] * (dy[i * stride] - mean);
}

template void softmax(const float*, float*, Index, Index);
template void softmax(const double*, double*, Index, Index);
template void softmax_backward(const float*, const float*, float*, Index, Index);
template void softmax_backward(const double*, const double*, double*, Index, Index);

}  // namespace tapehead::kernels
