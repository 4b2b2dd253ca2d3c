#include "figures/figures.h"

#include <algorithm>
#include <cmath>

namespace tapehead {

Estimate estimate(std::span<const double> samples) {
  Estimate result;
  if (samples.empty()) return result;
  const auto n = static_cast<double>(samples.size());
  double sum = 0;
  for (const double x : samples) sum += x;
  result.mean = sum / n;
  if (samples.size() < 2) return result;
  double squares = 0;
  for (const double x : samples) squares += (x - result.mean) * (x - result.mean);
  result.se = std::sqrt(squares / (n - 1) / n);
  return result;
}

namespace {

double quantile(const std::vector<double>& sorted, double q) {
  const double at = q * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  // Weighted rather than low + t (high - low), which is NaN between two infinities.
  const double t = at - static_cast<double>(below);
  return t == 0 ? sorted[below] : (1 - t) * sorted[below] + t * sorted[above];
}

}  // namespace

Estimate estimate_with_quantiles(std::span<const double> samples) {
  Estimate result = estimate(samples);
  if (samples.empty()) return result;
  if (std::ranges::any_of(samples, [](double x) { return std::isnan(x); })) {  // has no order
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    result.quantiles = {kNone, kNone, kNone};
    return result;
  }
  std::vector<double> sorted(samples.begin(), samples.end());
  std::ranges::sort(sorted);
  result.quantiles = {quantile(sorted, 0.1), quantile(sorted, 0.5), quantile(sorted, 0.9)};
  return result;
}

ChartPoint point(double x, const Estimate& y) { return {x, y.mean, y.mean - y.se, y.mean + y.se}; }

}  // namespace tapehead
