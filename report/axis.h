#pragma once

#include <string>
#include <vector>

#include "figures/figures.h"

namespace tapehead {

/// One axis of a chart: from data to [0, 1].
struct Axis {
  double low = 0, high = 1;
  bool log = false;

  /// 0 at `low`, 1 at `high`. NaN for what a logarithmic axis cannot show.
  double position(double value) const;

  bool operator==(const Axis&) const = default;
};

/// True if the point is shown: finite, and positive where an axis is logarithmic.
bool is_shown(const Chart& chart, const ChartPoint& point);
/// True if the point has an error bar.
bool has_bar(const ChartPoint& point);

/// Axes that hold all points and error bars of a chart, with a margin. With categories, x runs
/// from -0.5 to count - 0.5, and y holds 0. Where every y is 0, y runs from 0 to 1. A bar that
/// reaches below a logarithmic axis does not widen it.
Axis x_axis(const Chart& chart);
Axis y_axis(const Chart& chart);

/// Round numbers within the axis, about `most` of them at most: multiples of 1, 2 or 5 times a
/// power of ten; of a logarithmic axis, powers of ten or, if there are fewer than three, 1, 2 and
/// 5 times these.
std::vector<double> ticks(const Axis& axis, int most);
/// "0.02", "1e-05".
std::string tick_text(double value);

}  // namespace tapehead
