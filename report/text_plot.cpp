#include "report/text_plot.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "figures/number_text.h"
#include "report/axis.h"

namespace tapehead {

namespace {

constexpr int kPlotColumns = 64, kPlotLines = 10;
constexpr std::size_t kMostPositions = 40;  // of a map, so that it fits a terminal

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

// The first character of a token's symbol: one column of the map.
std::string column_label(const std::string& symbol) {
  std::size_t length = std::min<std::size_t>(1, symbol.size());
  while (length < symbol.size() && is_continuation(symbol[length])) ++length;
  return symbol.substr(0, length);
}

std::vector<std::string> column_labels(const std::vector<std::string>& symbols) {
  std::vector<std::string> labels;
  for (std::size_t i = 0; i < std::min(symbols.size(), kMostPositions); ++i) {
    labels.push_back(column_label(symbols[i]));
  }
  return labels;
}

// A weight in [0, 1] as a shade.
const char* shade(float weight, TextStyle style) {
  constexpr std::array kBlocks = {" ", "░", "▒", "▓", "█"};
  constexpr std::array kAscii = {" ", ".", "+", "*", "#"};
  const auto level = static_cast<std::size_t>(std::clamp(std::lround(weight * 4.0F), 0L, 4L));
  return style == TextStyle::kUnicode ? kBlocks[level] : kAscii[level];
}

// A cell of a plot that is filled from below by this share.
const char* filled(double share, TextStyle style) {
  constexpr std::array kBlocks = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  constexpr std::array kAscii = {" ", ".", ":", "|", "#"};
  const auto pick = [share](const auto& cells) {
    const double levels = static_cast<double>(cells.size() - 1);
    return cells[static_cast<std::size_t>(std::lround(std::clamp(share, 0.0, 1.0) * levels))];
  };
  return style == TextStyle::kUnicode ? pick(kBlocks) : pick(kAscii);
}

// From the first point of the chart to the last, without a margin.
Axis whole_width(const Chart& chart) {
  Axis axis{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity(),
            chart.log_x};
  for (const ChartSeries& series : chart.series) {
    for (const ChartPoint& p : series.points) {
      if (!is_shown(chart, p)) continue;
      axis.low = std::min(axis.low, p.x);
      axis.high = std::max(axis.high, p.x);
    }
  }
  if (axis.low == axis.high) axis.high = axis.low + 1;
  return axis;
}

// The height in [0, 1] of each column; NaN where there is no point and none before it.
std::vector<double> column_heights(const Chart& chart, const ChartSeries& series) {
  const Axis x = whole_width(chart), y = y_axis(chart);
  std::vector<double> sums(kPlotColumns), counts(kPlotColumns);
  for (const ChartPoint& p : series.points) {
    if (!is_shown(chart, p)) continue;
    const auto column = static_cast<std::size_t>(
        std::clamp(std::floor(x.position(p.x) * kPlotColumns), 0.0, kPlotColumns - 1.0));
    sums[column] += y.position(p.y);
    ++counts[column];
  }
  double last = std::numeric_limits<double>::quiet_NaN();
  for (std::size_t c = 0; c < sums.size(); ++c) {
    if (counts[c] > 0) last = sums[c] / counts[c];
    sums[c] = last;
  }
  return sums;
}

}  // namespace

TextStyle terminal_style() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nothing sets it
    if (value == nullptr || *value == '\0') continue;
    std::string locale;
    for (const char* c = value; *c != '\0'; ++c) {
      locale += static_cast<char>(std::tolower(static_cast<unsigned char>(*c)));
    }
    const bool utf8 =
        locale.find("utf-8") != std::string::npos || locale.find("utf8") != std::string::npos;
    return utf8 ? TextStyle::kUnicode : TextStyle::kAscii;
  }
  return TextStyle::kUnicode;
}

std::string styled_text(const std::string& text, TextStyle style) {
  if (style == TextStyle::kUnicode) return text;
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (static_cast<unsigned char>(text[i]) < 0x80U) {
      result += text[i];
      continue;
    }
    std::size_t length = 1;
    while (i + length < text.size() && is_continuation(text[i + length])) ++length;
    const std::string character = text.substr(i, length);
    result += character == "±" ? "+-" : character == "–" ? "-" : "?";
    i += length - 1;
  }
  return result;
}

std::string curve_text(const Chart& chart, std::size_t series, TextStyle style) {
  const std::vector<double> heights = column_heights(chart, chart.series[series]);
  if (std::ranges::all_of(heights, [](double h) { return std::isnan(h); })) return {};
  const Axis x = whole_width(chart), y = y_axis(chart);
  const std::string top = number_text(y.high), bottom = number_text(y.low);
  const std::size_t margin = std::max(top.size(), bottom.size());
  std::string text = fmt::format("{}: {}{}\n", chart.title, chart.series[series].name,
                                 chart.log_y ? " (logarithmic)" : "");
  for (int line = kPlotLines - 1; line >= 0; --line) {
    const std::string label = line == kPlotLines - 1 ? top : line == 0 ? bottom : "";
    std::string cells;
    for (const double h : heights) {
      // What lies at the very bottom is still seen.
      const double share = std::isnan(h) ? 0 : std::max(h * kPlotLines, 0.125) - line;
      cells += filled(share, style);
    }
    cells.erase(cells.find_last_not_of(' ') + 1);
    text += fmt::format("{:>{}} {}{}\n", label, margin, style == TextStyle::kUnicode ? "│" : "|",
                        cells);
  }
  const std::string left = number_text(x.low), right = number_text(x.high);
  text += fmt::format("{:>{}} {}{:>{}} {}\n", "", margin + 1, left, right,
                      kPlotColumns - static_cast<int>(left.size()), chart.x_label);
  return styled_text(text, style);
}

std::string head_text(const AttentionMaps& maps, std::size_t step, HeadChoice choice,
                      TextStyle style) {
  const auto rows = column_labels(maps.queries), columns = column_labels(maps.keys);
  const float* weights = head_weights(maps, step, choice);
  std::string text = fmt::format(
      "attention of layer {}, head {} (rows: queries, columns: {})\n  {}", choice.layer + 1,
      choice.head + 1, maps.name == "attention/cross" ? "source" : "keys", fmt::join(columns, ""));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    text += fmt::format("\n{} ", rows[i]);
    for (std::size_t j = 0; j < columns.size(); ++j) {
      text += shade(weights[i * maps.keys.size() + j], style);
    }
  }
  return styled_text(text, style) + "\n";
}

}  // namespace tapehead
