#include "figures/curves.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace tapehead {

namespace {

ChartPoint bucket_point(std::span<const Measured> bucket) {
  double step = 0, sum = 0, count = 0;
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const Measured& m : bucket) {
    if (!std::isfinite(m.value)) continue;
    step += static_cast<double>(m.step);
    sum += m.value;
    low = std::min(low, m.value);
    high = std::max(high, m.value);
    ++count;
  }
  return {step / count, sum / count, low, high};  // NaN if there was none
}

}  // namespace

Index bucket_size(std::size_t measured, std::size_t most_points) {
  return std::max<Index>(1, static_cast<Index>((measured + most_points - 1) / most_points));
}

ChartSeries curve(std::string name, std::span<const Measured> measured, Index bucket) {
  ChartSeries series{std::move(name), {}};
  const auto size = static_cast<std::size_t>(bucket);
  for (std::size_t first = 0; first < measured.size(); first += size) {
    ChartPoint point =
        bucket_point(measured.subspan(first, std::min(size, measured.size() - first)));
    if (!std::isfinite(point.y)) continue;
    if (bucket == 1) point.low = point.high = std::numeric_limits<double>::quiet_NaN();
    series.points.push_back(point);
  }
  return series;
}

std::string bucket_note(Index bucket) {
  if (bucket == 1) return {};
  return fmt::format(
      "Each point is the mean of {} steps; the band spans their smallest and largest.", bucket);
}

}  // namespace tapehead
