#pragma once

#include <ctime>

#include <algorithm>
#include <vector>

namespace tapehead {

/// Milliseconds of processor time that this thread has had. Unlike the time of a clock, it does not
/// grow while other programs have the processor; what other threads do for this one is not in it.
inline double thread_cpu_ms() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

/// The middle of an odd number of samples, the upper of the two middle ones of an even number;
/// there must be one.
inline double median_of(std::vector<double> samples) {
  const auto middle = samples.begin() + static_cast<std::ptrdiff_t>(samples.size() / 2);
  std::nth_element(samples.begin(), middle, samples.end());
  return *middle;
}

/// Median of the processor time of f(), which uses this thread only: after a call that fills pools
/// and caches, at least 5 calls, and as many as fit into `ms`.
template <typename F>
double median_cpu_ms(double ms, F&& f) {
  constexpr std::size_t kLeastCalls = 5;
  f();
  std::vector<double> samples;
  const double start = thread_cpu_ms();
  double before = start;
  while (samples.size() < kLeastCalls || before - start < ms) {
    f();
    const double now = thread_cpu_ms();
    samples.push_back(now - before);
    before = now;
  }
  return median_of(std::move(samples));
}

}  // namespace tapehead
