#include "studies/scaling_outcomes.h"
#include "studies/scaling_run.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

namespace tapehead {

namespace {

std::vector<double> over_seeds(const ScalingSetting& s, const OutcomeNumber& number) {
  std::vector<double> values;
  std::ranges::transform(s.seeds, std::back_inserter(values), number);
  return values;
}

}  // namespace

Estimate estimate_over(const ScalingSetting& s, const OutcomeNumber& number) {
  return estimate(over_seeds(s, number));
}

std::vector<double> steps_reached(const ScalingSetting& s) {
  std::vector<double> steps = over_seeds(s, [](const auto& o) { return o.steps_to_90; });
  std::erase_if(steps, [](double x) { return std::isnan(x); });
  return steps;
}

std::span<const double> quarter_of(std::span<const double> series, std::size_t q) {
  const std::size_t begin = series.size() * q / kQuarters;
  return series.subspan(begin, series.size() * (q + 1) / kQuarters - begin);
}

std::array<double, 2> gradient_quantiles(const ScalingSetting& s, std::size_t q) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> all;
  for (const ScalingOutcome& o : s.seeds) {
    const auto part = quarter_of(o.gradient, q);
    all.insert(all.end(), part.begin(), part.end());
  }
  if (all.empty()) return {none, none};
  const Estimate e = estimate_with_quantiles(all);
  return {e.quantiles->at(1), e.quantiles->at(2)};
}

Index widest_head(const std::vector<ScalingSetting>& settings) {
  return std::ranges::max(settings, {}, &ScalingSetting::d).d;
}
Index narrowest_head(const std::vector<ScalingSetting>& settings) {
  return std::ranges::min(settings, {}, &ScalingSetting::d).d;
}

const ScalingSetting& find_setting(const std::vector<ScalingSetting>& settings, Index d,
                                   InitOptions::Scheme init, std::string_view scale) {
  return *std::ranges::find_if(settings, [&](const ScalingSetting& s) {
    return s.d == d && s.init == init && s.scale == scale;
  });
}

}  // namespace tapehead
