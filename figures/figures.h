#pragma once

#include <array>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "base/types.h"

// What studies and reports show, apart from how: tables, charts and attention maps. A page, an SVG
// file, a terminal and a data file are made of the same figures.

namespace tapehead {

/// A measured quantity: the mean of samples or of runs, and how far to trust it.
struct Estimate {
  double mean = std::numeric_limits<double>::quiet_NaN();
  /// Standard error of the mean, sqrt(sum (x - mean)^2 / (n - 1) / n); NaN for one sample.
  double se = std::numeric_limits<double>::quiet_NaN();
  /// The 10th, 50th and 90th percentile, where there are samples enough to have them.
  std::optional<std::array<double, 3>> quantiles = {};

  bool operator==(const Estimate&) const = default;
};

/// Mean and standard error. Sums in the order of the samples.
Estimate estimate(std::span<const double> samples);
/// The same with quantiles (linear interpolation between the order statistics); NaN if a sample is.
Estimate estimate_with_quantiles(std::span<const double> samples);

/// A NaN is shown as "-".
using Cell = std::variant<std::string, double, Estimate>;

struct Table {
  std::string name;  ///< of files and of keys in JSON: "rows"
  std::string title;
  std::vector<std::string> columns;  ///< keys in JSON: "d_k"
  std::vector<std::vector<Cell>> rows;

  bool operator==(const Table&) const = default;
};

struct ChartPoint {
  double x = 0, y = 0;
  /// Ends of the error bar; NaN: there is none.
  double low = std::numeric_limits<double>::quiet_NaN();
  double high = std::numeric_limits<double>::quiet_NaN();

  bool operator==(const ChartPoint&) const = default;
};

/// mean +- one standard error.
ChartPoint point(double x, const Estimate& y);

struct ChartSeries {
  std::string name;
  std::vector<ChartPoint> points;

  bool operator==(const ChartSeries&) const = default;
};

/// Points joined by lines; or, where `categories` are named, bars, x being the index of a name.
struct Chart {
  std::string name;   ///< of files: "entropy"
  std::string title;  ///< what is to be seen
  std::string x_label, y_label;
  bool log_x = false, log_y = false;  ///< points that are not positive are left out then
  std::vector<std::string> categories = {};
  std::vector<ChartSeries> series = {};
  std::string note = {};  ///< what the error bars are, say, or what was left out

  bool operator==(const Chart&) const = default;
};

}  // namespace tapehead
