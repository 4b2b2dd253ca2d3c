#include "autograd/kernels/cross_entropy.h"

#include <cmath>

#include "autograd/kernels/reduce.h"
#include "autograd/kernels/vector_math.h"

namespace tapehead::kernels {

template <typename Scalar>
Scalar cross_entropy(const Scalar* x, Index n, Index target, Scalar smoothing, Scalar scale,
                     Scalar* dx) {
  const Scalar largest = max(x, n);
  for (Index j = 0; j < n; ++j) dx[j] = x[j] - largest;
  Scalar loss = -(Scalar(1) - smoothing) * dx[target];
  if (smoothing > 0) loss -= smoothing / static_cast<Scalar>(n) * sum(dx, n);
  exp(dx, dx, n);
  const Scalar total = sum(dx, n);
  loss += std::log(total);
  const Scalar to_gradient = scale / total;
  const Scalar spread = smoothing / static_cast<Scalar>(n) * scale;
  for (Index j = 0; j < n; ++j) dx[j] = dx[j] * to_gradient - spread;
  dx[target] -= (Scalar(1) - smoothing) * scale;
  return loss;
}

template float cross_entropy(const float*, Index, Index, float, float, float*);
template double cross_entropy(const double*, Index, Index, double, double, double*);

}  // namespace tapehead::kernels
