#include "analysis/attention_range.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

#include "base/error.h"

namespace tapehead {

namespace {

bool asks(const Batch& batch, Index row, Index position) {
  return batch.targets[static_cast<std::size_t>(row * batch.length + position)] != kIgnoreTarget;
}

// Mean of f(row, position) over the positions that ask for something.
template <typename F>
double mean_where_asked(const Batch& batch, const F& f) {
  double sum = 0;
  Index count = 0;
  for (Index row = 0; row < batch.rows; ++row) {
    for (Index i = 0; i < batch.length; ++i) {
      if (!asks(batch, row, i)) continue;
      sum += f(row, i);
      ++count;
    }
  }
  return sum / static_cast<double>(count);
}

}  // namespace

std::vector<double> mean_attention_distances(const Tensor<float>& weights, const Batch& batch) {
  const Index n = batch.length;
  if (weights.rank() != 4 || weights.dim(0) != batch.rows || weights.dim(2) != n ||
      weights.dim(3) != n) {
    throw ShapeError(fmt::format(
        "attention distances: weights {} for a batch of {} rows of {} positions; expected (rows, "
        "heads, positions, positions)",
        weights.shape().str(), batch.rows, n));
  }
  const Index heads = weights.dim(1);
  std::vector<double> distances;
  for (Index head = 0; head < heads; ++head) {
    distances.push_back(mean_where_asked(batch, [&](Index row, Index i) {
      const float* p = weights.data() + ((row * heads + head) * n + i) * n;
      double distance = 0;
      for (Index j = 0; j < n; ++j) {
        distance += static_cast<double>(p[j]) * static_cast<double>(std::abs(i - j));
      }
      return distance;
    }));
  }
  return distances;
}

double even_attention_distance(const Batch& batch) {
  return mean_where_asked(batch, [](Index, Index i) { return static_cast<double>(i) / 2; });
}

std::vector<double> share_within(const std::vector<double>& norms, const std::vector<Index>& places,
                                 Index length) {
  std::vector<double> shares(static_cast<std::size_t>(length));
  double all = 0;
  for (std::size_t row = 0; row < places.size(); ++row) {
    for (Index t = 0; t < length; ++t) {
      const double norm =
          norms.at(row * static_cast<std::size_t>(length) + static_cast<std::size_t>(t));
      all += norm;
      if (t <= places[row]) shares[static_cast<std::size_t>(places[row] - t)] += norm;
    }
  }
  double sum = 0;
  for (double& share : shares) share = (sum += share) / all;
  return shares;
}

Index distance_of_share(const std::vector<double>& shares, double share) {
  return std::ranges::find_if(shares, [share](double s) { return s >= share; }) - shares.begin();
}

}  // namespace tapehead
