#include "report/vega_lite.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>

#include <fmt/format.h>

#include "report/axis.h"

namespace tapehead {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostDots = 60;  // of a series; with more, dots and bars would touch
constexpr int kGridLines = 6;

// Six significant digits, which no picture shows more of: the page is smaller.
double rounded(double value) { return std::strtod(fmt::format("{:.6g}", value).c_str(), nullptr); }

// The series' names, made different where two are equal.
std::vector<std::string> unique_names(const Chart& chart) {
  std::vector<std::string> names;
  for (const ChartSeries& series : chart.series) {
    std::string name = series.name;
    for (int n = 2; std::ranges::find(names, name) != names.end(); ++n) {
      name = fmt::format("{} ({})", series.name, n);
    }
    names.push_back(name);
  }
  return names;
}

std::string category_name(const Chart& chart, double x) {
  const auto i = static_cast<long>(std::lround(x));
  const bool known = i >= 0 && i < static_cast<long>(chart.categories.size());
  return known ? chart.categories[static_cast<std::size_t>(i)] : fmt::format("{}", x);
}

Json data_rows(const Chart& chart, const std::vector<std::string>& names) {
  Json rows = Json::array();
  for (std::size_t s = 0; s < names.size(); ++s) {
    const bool dots = chart.series[s].points.size() <= kMostDots;
    for (const ChartPoint& p : chart.series[s].points) {
      if (!is_shown(chart, p)) continue;
      Json row = {{"s", names[s]}, {"y", rounded(p.y)}, {"d", dots ? 1 : 0}};
      if (chart.categories.empty()) {
        row["x"] = rounded(p.x);
      } else {
        row["x"] = category_name(chart, p.x);
      }
      if (has_bar(p)) {
        row["l"] = rounded(p.low);
        row["h"] = rounded(p.high);
      }
      rows.push_back(std::move(row));
    }
  }
  return rows;
}

// What a chart's points have in common.
struct Points {
  std::size_t most = 0;  // of one series
  bool bars = false;
  bool positive = true;  // y, and the lower ends of bars
};

Points look_at(const Chart& chart) {
  Points points;
  for (const ChartSeries& series : chart.series) {
    points.most = std::max(points.most, series.points.size());
    for (const ChartPoint& p : series.points) {
      if (!is_shown(chart, p)) continue;
      points.bars = points.bars || has_bar(p);
      points.positive = points.positive && p.y > 0 && (!has_bar(p) || p.low > 0);
    }
  }
  return points;
}

// True if all points have one y, and no bars.
bool is_flat(const Chart& chart) {
  std::optional<double> first;
  for (const ChartSeries& series : chart.series) {
    for (const ChartPoint& p : series.points) {
      if (!is_shown(chart, p)) continue;
      if (has_bar(p) || p.y != first.value_or(p.y)) return false;
      first = p.y;
    }
  }
  return true;
}

Json y_channel(const Chart& chart, const char* field) {
  Json scale = {{"type", chart.log_y ? "log" : "linear"}, {"zero", !chart.categories.empty()}};
  if (chart.log_y) {  // a bar that reaches below zero ends at the axis
    const Axis axis = y_axis(chart);
    scale["domain"] = {rounded(axis.low), rounded(axis.high)};
    scale["clamp"] = true;
    scale.erase("zero");
  } else if (is_flat(chart)) {  // Vega's own domain would be empty
    const Axis axis = y_axis(chart);
    scale["domain"] = {rounded(axis.low), rounded(axis.high)};
  }
  Json axis = {{"tickCount", kGridLines}};
  if (chart.log_y) axis["values"] = ticks(y_axis(chart), kGridLines);
  return {{"field", field},
          {"type", "quantitative"},
          {"title", chart.y_label},
          {"scale", std::move(scale)},
          {"axis", std::move(axis)}};
}

Json x_channel(const Chart& chart, const Points& points) {
  if (!chart.categories.empty()) {
    return {{"field", "x"},
            {"type", "nominal"},
            {"title", chart.x_label},
            {"sort", nullptr},
            {"scale", {{"domain", chart.categories}}},
            {"axis", {{"labelAngle", chart.categories.size() > 6 ? -40 : 0}, {"grid", false}}}};
  }
  Json scale = {{"type", chart.log_x ? "log" : "linear"}, {"nice", false}};
  Json axis = {{"grid", false}, {"tickCount", kGridLines}};
  if (chart.log_x) axis["values"] = ticks(x_axis(chart), kGridLines);
  if (!chart.log_x) scale["zero"] = false;
  constexpr int kPixels = 8;  // so that the first and the last dot stand free
  if (points.most <= kMostDots) scale["padding"] = kPixels;
  return {{"field", "x"},
          {"type", "quantitative"},
          {"title", chart.x_label},
          {"scale", std::move(scale)},
          {"axis", std::move(axis)}};
}

Json tooltip(const Chart& chart, const Points& points, bool series) {
  Json list = Json::array();
  const auto field = [&list](const char* name, const char* type, const std::string& title) {
    Json entry = {{"field", name}, {"type", type}, {"title", title}};
    if (type == std::string("quantitative")) entry["format"] = ".5~g";
    list.push_back(std::move(entry));
  };
  if (series) field("s", "nominal", "series");
  const bool words = !chart.categories.empty();
  field("x", words ? "nominal" : "quantitative", chart.x_label.empty() ? "x" : chart.x_label);
  field("y", "quantitative", chart.y_label.empty() ? "y" : chart.y_label);
  if (points.bars) {
    field("l", "quantitative", "from");
    field("h", "quantitative", "to");
  }
  return list;
}

Json bar_layers(const Chart& chart, const Points& points, bool series) {
  Json bars = {{"mark", {{"type", "bar"}}}, {"encoding", {{"y", y_channel(chart, "y")}}}};
  bars["encoding"]["tooltip"] = tooltip(chart, points, series);
  Json layers = Json::array({bars});
  if (points.bars) {
    layers.push_back({{"mark", {{"type", "rule"}, {"color", "gray"}, {"strokeWidth", 2}}},
                      {"encoding",
                       {{"y", y_channel(chart, "l")},
                        {"y2", {{"field", "h"}}},
                        {"color", {{"value", "gray"}}}}}});
  }
  return layers;
}

Json line_layers(const Chart& chart, const Points& points, bool series) {
  const bool dots = points.most <= kMostDots;
  Json layers = Json::array();
  const Json ends = {{"y", y_channel(chart, "l")}, {"y2", {{"field", "h"}}}};
  if (points.bars && dots) {
    layers.push_back({{"mark", {{"type", "rule"}, {"strokeWidth", 1.5}}}, {"encoding", ends}});
  } else if (points.bars) {
    layers.push_back({{"mark", {{"type", "area"}, {"opacity", 0.2}}}, {"encoding", ends}});
  }
  layers.push_back({{"mark", {{"type", "line"}, {"strokeWidth", 1.8}}},
                    {"encoding", {{"y", y_channel(chart, "y")}}}});
  // The nearest point is the one that is told about.
  Json near = {
      {"name", "near"},
      {"select",
       {{"type", "point"}, {"nearest", true}, {"on", "pointerover"}, {"clear", "pointerout"}}}};
  Json dot_encoding = {{"y", y_channel(chart, "y")},
                       {"tooltip", tooltip(chart, points, series)},
                       {"opacity",
                        {{"condition",
                          {{{"param", "near"}, {"empty", false}, {"value", 1}},
                           {{"test", "datum.d == 1"}, {"value", 1}}}},
                         {"value", 0}}}};
  layers.push_back({{"params", Json::array({near})},
                    {"mark", {{"type", "point"}, {"filled", true}, {"size", 36}}},
                    {"encoding", std::move(dot_encoding)}});
  return layers;
}

}  // namespace

Json vega_lite_chart(const Chart& chart) {
  const std::vector<std::string> names = unique_names(chart);
  const Points points = look_at(chart);
  const bool series = names.size() > 1;
  const bool lines = chart.categories.empty();
  Json encoding = {
      {"x", x_channel(chart, points)},
      {"color",
       {{"field", "s"}, {"type", "nominal"}, {"scale", {{"domain", names}}}, {"legend", nullptr}}}};
  constexpr std::size_t kColours = 8;
  if (lines && names.size() > kColours) {
    Json dashes = Json::array();
    const Json kinds = {Json::array({1, 0}), {6, 3}, {2, 3}, {8, 3, 2, 3}};
    for (std::size_t s = 0; s < names.size(); ++s) {
      dashes.push_back(kinds[s / kColours % kinds.size()]);
    }
    encoding["strokeDash"] = {{"field", "s"},
                              {"type", "nominal"},
                              {"scale", {{"domain", names}, {"range", dashes}}},
                              {"legend", nullptr}};
  }
  if (!lines && series) {
    encoding["xOffset"] = {{"field", "s"}, {"type", "nominal"}, {"scale", {{"domain", names}}}};
  }
  Json spec = {
      {"description", chart.title},
      {"width", "container"},
      {"height", 260},
      {"autosize", {{"type", "fit-x"}, {"contains", "padding"}}},
      {"params", Json::array({{{"name", "hidden"}, {"value", Json::array()}}})},
      {"data", {{"values", data_rows(chart, names)}}},
      {"transform", Json::array({{{"filter", "indexof(hidden, datum.s) < 0"}}})},
      {"encoding", std::move(encoding)},
      {"layer", lines ? line_layers(chart, points, series) : bar_layers(chart, points, series)}};
  Json result = {{"spec", std::move(spec)}, {"series", names}};
  if (lines && !chart.log_y && points.positive && points.most > 1) {
    Chart logarithmic = chart;
    logarithmic.log_y = true;
    result["logTicks"] = ticks(y_axis(logarithmic), kGridLines);
  }
  return result;
}

}  // namespace tapehead
