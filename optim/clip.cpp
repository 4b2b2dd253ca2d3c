#include "optim/clip.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "autograd/check.h"
#include "base/error.h"
#include "base/parallel.h"

namespace tapehead {

namespace {

constexpr Index kLanes = 16;      // independent partial sums, so that the loop vectorises
constexpr Index kMaxChunks = 64;  // the chunks' sums fit an array on the stack

template <typename Scalar>
double sum_of_squares(const Scalar* x, Index n) {
  std::array<double, kLanes> lanes{};
  Index i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    for (Index lane = 0; lane < kLanes; ++lane) {
      const auto value = static_cast<double>(x[i + lane]);
      lanes[static_cast<std::size_t>(lane)] += value * value;
    }
  }
  double sum = 0;
  for (; i < n; ++i) sum += static_cast<double>(x[i]) * static_cast<double>(x[i]);
  return std::accumulate(lanes.begin(), lanes.end(), sum);
}

template <typename Scalar>
[[noreturn]] void throw_non_finite(const ParameterStore<Scalar>& store,
                                   const Tensor<Scalar>& gradients, double norm) {
  for (const Parameter<Scalar>& parameter : store.parameters()) {
    const Tensor<Scalar> part = store.part(gradients, parameter);
    for (Index i = 0; i < part.size(); ++i) {
      if (std::isfinite(part[i])) continue;
      throw NonFiniteError(fmt::format(
          "clip: the gradient of '{}' {} is {} at {}; the parameters were left as they were. Try a "
          "lower learning rate, or check_finite to find the op where it arose",
          parameter.name(), parameter.shape().str(), part[i], position_str(parameter.shape(), i)));
    }
  }
  throw NonFiniteError(fmt::format(
      "clip: every gradient is finite, but their norm overflows to {}; the parameters were left as "
      "they were. Try a lower learning rate",
      norm));
}

}  // namespace

template <typename Scalar>
double global_norm(const Tensor<Scalar>& buffer, int threads) {
  // A fixed number of chunks, each a multiple of the lanes.
  const Index n = buffer.size();
  const Index per_chunk = (n + kMaxChunks - 1) / kMaxChunks;
  const Index chunk = std::max(kLanes, (per_chunk + kLanes - 1) / kLanes * kLanes);
  std::array<double, kMaxChunks> sums{};
  parallel_chunks(threads, n, chunk, [&](Index begin, Index end) {
    sums[static_cast<std::size_t>(begin / chunk)] =
        sum_of_squares(buffer.data() + begin, end - begin);
  });
  return std::sqrt(std::accumulate(sums.begin(), sums.end(), 0.0));
}

template <typename Scalar>
Clipping clip_by_global_norm(const ParameterStore<Scalar>& store, const Tensor<Scalar>& gradients,
                             double max_norm, int threads) {
  if (!(max_norm >= 0)) {
    throw ValueError(fmt::format(
        "clip: the largest norm is {}; it must be > 0, or 0 for no clipping", max_norm));
  }
  if (gradients.size() != store.values().size()) {
    throw ShapeError(fmt::format("clip: the gradients have {} numbers, the parameter store has {}",
                                 gradients.size(), store.values().size()));
  }
  const double norm = global_norm(gradients, threads);
  if (!std::isfinite(norm)) throw_non_finite(store, gradients, norm);
  // The summand is PyTorch's: it keeps the quotient finite for a norm of 0.
  constexpr double kTiny = 1e-6;
  return {norm, max_norm > 0 ? std::min(1.0, max_norm / (norm + kTiny)) : 1.0};
}

template double global_norm(const Tensor<float>&, int);
template double global_norm(const Tensor<double>&, int);
template Clipping clip_by_global_norm(const ParameterStore<float>&, const Tensor<float>&, double,
                                      int);
template Clipping clip_by_global_norm(const ParameterStore<double>&, const Tensor<double>&, double,
                                      int);

}  // namespace tapehead
