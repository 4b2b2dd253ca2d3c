#pragma once

#include <algorithm>
#include <chrono>
#include <vector>

#include "base/types.h"

namespace tapehead {

struct Timing {
  double median_ms = 0, min_ms = 0;
  Index calls = 0;
};

/// Times f() for about `seconds`, at least 5 times. `before_timing()` is called after a warm-up.
template <typename F, typename BeforeTiming>
Timing time_calls(double seconds, F&& f, BeforeTiming&& before_timing) {
  using Clock = std::chrono::steady_clock;
  constexpr int kWarmUp = 3;  // calls until pools and caches are filled
  constexpr std::size_t kLeastCalls = 5;
  constexpr std::size_t kMostCalls = std::size_t{1} << 20;
  for (int i = 0; i < kWarmUp; ++i) f();
  std::vector<double> milliseconds;
  milliseconds.reserve(kMostCalls);  // so that timing itself allocates nothing
  before_timing();
  const auto start = Clock::now();
  auto before = start;
  while (milliseconds.size() < kLeastCalls ||
         (before - start < std::chrono::duration<double>(seconds) &&
          milliseconds.size() < kMostCalls)) {
    f();
    const auto now = Clock::now();
    milliseconds.push_back(std::chrono::duration<double, std::milli>(now - before).count());
    before = now;
  }
  Timing timing;
  timing.calls = static_cast<Index>(milliseconds.size());
  timing.min_ms = *std::min_element(milliseconds.begin(), milliseconds.end());
  const auto middle = milliseconds.begin() + static_cast<std::ptrdiff_t>(milliseconds.size() / 2);
  std::nth_element(milliseconds.begin(), middle, milliseconds.end());
  timing.median_ms = *middle;
  return timing;
}

template <typename F>
Timing time_calls(double seconds, F&& f) {
  return time_calls(seconds, f, [] {});
}

/// Peak resident memory of the process so far, in megabytes (2^20 bytes).
double peak_rss_mb();

}  // namespace tapehead
