#include "studies/power_law.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "base/error.h"

namespace tapehead {

namespace {

double mean_of(const std::vector<double>& numbers) {
  double sum = 0;
  for (const double x : numbers) sum += x;
  return sum / static_cast<double>(numbers.size());
}

std::vector<double> logarithms(std::span<const double> numbers) {
  std::vector<double> logs;
  for (const double x : numbers) logs.push_back(std::log(x));
  return logs;
}

}  // namespace

PowerLaw fit_power_law(std::span<const double> x, std::span<const double> y) {
  const auto positive = [](double number) { return number > 0 && std::isfinite(number); };
  const bool usable =
      x.size() == y.size() && std::ranges::all_of(x, positive) && std::ranges::all_of(y, positive);
  if (!usable || x.size() < 2 || std::ranges::min(x) == std::ranges::max(x)) {
    throw ValueError(fmt::format(
        "power law: {} numbers x and {} y; there must be as many of each, all positive, and at "
        "least two different x",
        x.size(), y.size()));
  }
  const std::vector<double> u = logarithms(x), v = logarithms(y);
  const double mean_u = mean_of(u), mean_v = mean_of(v);
  double uu = 0, uv = 0;
  for (std::size_t i = 0; i < u.size(); ++i) {
    uu += (u[i] - mean_u) * (u[i] - mean_u);
    uv += (u[i] - mean_u) * (v[i] - mean_v);
  }
  PowerLaw law;
  law.exponent.mean = uv / uu;
  law.factor = std::exp(mean_v - law.exponent.mean * mean_u);
  if (u.size() == 2) return law;
  double residuals = 0;
  for (std::size_t i = 0; i < u.size(); ++i) {
    const double r = v[i] - mean_v - law.exponent.mean * (u[i] - mean_u);
    residuals += r * r;
  }
  law.exponent.se = std::sqrt(residuals / static_cast<double>(u.size() - 2) / uu);
  return law;
}

std::optional<double> crossover(std::span<const double> x, std::span<const double> a,
                                std::span<const double> b) {
  const std::size_t n = std::min({x.size(), a.size(), b.size()});
  for (std::size_t i = 1; i < n; ++i) {
    const double before = std::log(a[i - 1] / b[i - 1]), after = std::log(a[i] / b[i]);
    if (before > 0 || after <= 0) continue;
    const double t = before / (before - after);  // where the line through both is zero
    return std::exp((1 - t) * std::log(x[i - 1]) + t * std::log(x[i]));
  }
  return std::nullopt;
}

}  // namespace tapehead
