#include "report/axis.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace tapehead {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Range {
  double low = kInfinity, high = -kInfinity;

  void add(double value, bool positive_only) {
    if (!std::isfinite(value) || (positive_only && value <= 0)) return;
    low = std::min(low, value);
    high = std::max(high, value);
  }
};

// The range with a margin at both ends; an empty one or a single number becomes one that can be
// drawn.
Axis with_margin(Range range, bool log, double margin) {
  if (range.low > range.high) return {log ? 1.0 : 0.0, log ? 10.0 : 1.0, log};
  if (log) {
    const double factor = range.low == range.high ? 2 : std::pow(range.high / range.low, margin);
    return {range.low / factor, range.high * factor, true};
  }
  double space = (range.high - range.low) * margin;
  if (range.low == range.high) space = range.low == 0 ? 1 : std::abs(range.low) / 2;
  return {range.low - space, range.high + space, false};
}

double exponent_of(double value) { return std::floor(std::log10(value) + 1e-9); }

std::vector<double> log_ticks(const Axis& axis, int most) {
  const double first = exponent_of(axis.low), last = exponent_of(axis.high);
  const auto within = [&axis](double v) { return v >= axis.low && v <= axis.high; };
  std::vector<double> result;
  const double stride = std::max(1.0, std::ceil((last - first) / most));
  for (double e = first; e <= last; e += stride) {
    if (within(std::pow(10, e))) result.push_back(std::pow(10, e));
  }
  constexpr std::size_t kFewest = 3;
  if (result.size() >= kFewest) return result;
  result.clear();
  for (double e = first; e <= last; ++e) {
    for (const double digit : {1.0, 2.0, 5.0}) {
      if (within(digit * std::pow(10, e))) result.push_back(digit * std::pow(10, e));
    }
  }
  return result;
}

}  // namespace

double Axis::position(double value) const {
  if (!log) return (value - low) / (high - low);
  if (value <= 0) return std::numeric_limits<double>::quiet_NaN();
  return std::log(value / low) / std::log(high / low);
}

bool is_shown(const Chart& chart, const ChartPoint& p) {
  const bool log_x = chart.log_x && chart.categories.empty();
  return std::isfinite(p.x) && std::isfinite(p.y) && (!log_x || p.x > 0) &&
         (!chart.log_y || p.y > 0);
}

bool has_bar(const ChartPoint& p) { return std::isfinite(p.low) && std::isfinite(p.high); }

Axis x_axis(const Chart& chart) {
  if (!chart.categories.empty()) {
    return {-0.5, static_cast<double>(chart.categories.size()) - 0.5, false};
  }
  Range range;
  for (const ChartSeries& series : chart.series) {
    for (const ChartPoint& p : series.points) {
      if (is_shown(chart, p)) range.add(p.x, chart.log_x);
    }
  }
  constexpr double kMargin = 0.02;
  return with_margin(range, chart.log_x, kMargin);
}

Axis y_axis(const Chart& chart) {
  Range range;
  for (const ChartSeries& series : chart.series) {
    for (const ChartPoint& p : series.points) {
      if (!is_shown(chart, p)) continue;
      range.add(p.y, chart.log_y);
      if (!has_bar(p)) continue;
      range.add(p.low, chart.log_y);
      range.add(p.high, chart.log_y);
    }
  }
  const bool bars = !chart.categories.empty() && !chart.log_y;
  if (bars) range.add(0, false);
  if (!chart.log_y && range.low == 0 && range.high == 0) return {0, 1, false};  // nothing below 0
  constexpr double kMargin = 0.05;
  Axis axis = with_margin(range, chart.log_y, kMargin);
  if (bars && range.low == 0) axis.low = 0;  // bars stand on the axis
  return axis;
}

std::vector<double> ticks(const Axis& axis, int most) {
  if (axis.log) return log_ticks(axis, most);
  const double raw = (axis.high - axis.low) / most;
  const double power = std::pow(10, exponent_of(raw));
  double step = 10 * power;
  for (const double digit : {1.0, 2.0, 5.0}) {
    if (digit * power >= raw * (1 - 1e-9)) {
      step = digit * power;
      break;
    }
  }
  std::vector<double> result;
  const auto first = static_cast<long long>(std::ceil(axis.low / step - 1e-9));
  const auto last = static_cast<long long>(std::floor(axis.high / step + 1e-9));
  for (long long i = first; i <= last; ++i) result.push_back(static_cast<double>(i) * step);
  return result;
}

std::string tick_text(double value) { return fmt::format("{:.4g}", value == 0 ? 0.0 : value); }

}  // namespace tapehead
