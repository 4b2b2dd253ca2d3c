#include "autograd/kernels/normalize.h"

#include <cmath>

#include "autograd/kernels/reduce.h"

namespace tapehead::kernels {

template <typename Scalar>
void layer_norm(const Scalar* x, const Scalar* w, const Scalar* b, Scalar eps, Index n, Scalar* y,
                Scalar* mean, Scalar* rstd) {
  const auto count = static_cast<Scalar>(n);
  const Scalar center = sum(x, n) / count;
  const Scalar variance = sum_squares_centered(x, center, n) / count;
  const Scalar scale = Scalar(1) / std::sqrt(variance + eps);
  if (b == nullptr) {
    for (Index j = 0; j < n; ++j) y[j] = (x[j] - center) * scale * w[j];
  } else {
    for (Index j = 0; j < n; ++j) y[j] = (x[j] - center) * scale * w[j] + b[j];
  }
  *mean = center;
  *rstd = scale;
}

template <typename Scalar>
void layer_norm_backward(const Scalar* x, const Scalar* w, const Scalar* dy, Scalar mean,
                         Scalar rstd, Index n, Scalar* dx) {
  const auto count = static_cast<Scalar>(n);
  for (Index j = 0; j < n; ++j) dx[j] = dy[j] * w[j];
  const Scalar average = sum(dx, n) / count;
  const Scalar slope = dot_centered(dx, x, mean, n) * rstd / count;  // avg(g xhat)
  for (Index j = 0; j < n; ++j) {
    dx[j] = rstd * (dx[j] - average - (x[j] - mean) * rstd * slope);
  }
}

template <typename Scalar>
void rms_norm(const Scalar* x, const Scalar* w, Scalar eps, Index n, Scalar* y, Scalar* rstd) {
  const Scalar scale = Scalar(1) / std::sqrt(dot(x, x, n) / static_cast<Scalar>(n) + eps);
  for (Index j = 0; j < n; ++j) y[j] = x[j] * scale * w[j];
  *rstd = scale;
}

template <typename Scalar>
void rms_norm_backward(const Scalar* x, const Scalar* w, const Scalar* dy, Scalar rstd, Index n,
                       Scalar* dx) {
  for (Index j = 0; j < n; ++j) dx[j] = dy[j] * w[j];
  const Scalar slope = dot(dx, x, n) * rstd / static_cast<Scalar>(n);  // avg(g xhat)
  for (Index j = 0; j < n; ++j) dx[j] = rstd * (dx[j] - x[j] * rstd * slope);
}

template void layer_norm(const float*, const float*, const float*, float, Index, float*, float*,
                         float*);
template void layer_norm(const double*, const double*, const double*, double, Index, double*,
                         double*, double*);
template void layer_norm_backward(const float*, const float*, const float*, float, float, Index,
                                  float*);
template void layer_norm_backward(const double*, const double*, const double*, double, double,
                                  Index, double*);
template void rms_norm(const float*, const float*, float, Index, float*, float*);
template void rms_norm(const double*, const double*, double, Index, double*, double*);
template void rms_norm_backward(const float*, const float*, const float*, float, Index, float*);
template void rms_norm_backward(const double*, const double*, const double*, double, Index,
                                double*);

}  // namespace tapehead::kernels
