#pragma once

#include <array>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "figures/figures.h"
#include "studies/scaling_run.h"

// What tables, charts and findings of the scaling study take from its outcomes.

namespace tapehead {

/// The outcomes of all seeds of a setting.
struct ScalingSetting {
  std::string scale;
  InitOptions::Scheme init = InitOptions::Scheme::kPytorch;
  Index d = 0, steps = 0;
  std::vector<ScalingOutcome> seeds;
};

/// Parts of a training, for what is shown over time.
inline constexpr std::size_t kQuarters = 4;

using OutcomeNumber = std::function<double(const ScalingOutcome&)>;

/// A number of each seed's outcome as an estimate over the seeds.
Estimate estimate_over(const ScalingSetting& setting, const OutcomeNumber& number);

/// The steps to 90 % of the seeds that reached it.
std::vector<double> steps_reached(const ScalingSetting& setting);

/// The part of a series that belongs to quarter q of the training, from 0.
std::span<const double> quarter_of(std::span<const double> series, std::size_t q);

/// Median and 90th percentile of the gradients at W_Q of all seeds in a quarter; NaN if there are
/// none.
std::array<double, 2> gradient_quantiles(const ScalingSetting& setting, std::size_t q);

Index widest_head(const std::vector<ScalingSetting>& settings);
Index narrowest_head(const std::vector<ScalingSetting>& settings);
/// The one that there must be.
const ScalingSetting& find_setting(const std::vector<ScalingSetting>& settings, Index d,
                                   InitOptions::Scheme init, std::string_view scale);

}  // namespace tapehead
