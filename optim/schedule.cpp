#include "optim/schedule.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/error.h"

namespace tapehead {

Schedule::Schedule(const ScheduleOptions& options) : options_(options) {
  if (!(options.lr >= 0) || !std::isfinite(options.lr)) {
    throw ValueError(fmt::format("schedule: lr is {}; it must be a number >= 0", options.lr));
  }
  if (!(options.min_lr >= 0 && options.min_lr <= options.lr)) {
    throw ValueError(fmt::format("schedule: min_lr is {}; it must be between 0 and lr, which is {}",
                                 options.min_lr, options.lr));
  }
  if (options.warmup < 0 || options.total < 0) {
    throw ValueError(fmt::format("schedule: warmup is {} and total is {}; neither may be negative",
                                 options.warmup, options.total));
  }
}

double Schedule::rate(Index step) const {
  const auto& [kind, lr, min_lr, warmup, total] = options_;
  const Index s = std::min(step, std::max(total - 1, Index{0}));
  if (s < warmup) return lr * static_cast<double>(s + 1) / static_cast<double>(warmup);
  // Here warmup <= s < total unless the run has no step, so the denominator is not 0.
  const double done =
      static_cast<double>(s - warmup) / static_cast<double>(std::max(total - warmup, Index{1}));
  switch (kind) {
    case ScheduleKind::kConstant:
      break;
    case ScheduleKind::kLinear:
      return lr + (min_lr - lr) * done;
    case ScheduleKind::kCosine:
      return min_lr + (lr - min_lr) / 2 * (1 + std::cos(std::numbers::pi * done));
    case ScheduleKind::kInverseSqrt: {
      const auto peak = static_cast<double>(std::max(warmup, Index{1}));
      return std::max(min_lr, lr * std::sqrt(peak / static_cast<double>(s + 1)));
    }
  }
  return lr;
}

}  // namespace tapehead
