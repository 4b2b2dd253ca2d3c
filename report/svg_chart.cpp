#include "report/svg_chart.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "report/axis.h"
#include "report/palette.h"
#include "report/svg_canvas.h"

namespace tapehead {

namespace {

constexpr double kChartWidth = 640, kPlotHeight = 300;
constexpr double kLeft = 76, kRight = 20, kTop = 24, kBottom = 58;
constexpr double kTitleSize = 16, kTitleLine = 21, kNoteSize = 11, kNoteLine = 16;
constexpr const char* kGridColour = "#e4e6ea";
constexpr const char* kAxisColour = "#555b66";
constexpr std::size_t kFewPoints = 60;  // with more, points are left out and bars become bands

// A chart while it is drawn.
class ChartDrawing {
 public:
  explicit ChartDrawing(const Chart& chart)
      : chart_(chart),
        x_(x_axis(chart)),
        y_(y_axis(chart)),
        title_(wrapped_text(chart.title, kTitleSize, kChartWidth - kLeft - kRight)),
        note_(wrapped_text(chart.note, kNoteSize, kChartWidth - kLeft - kRight)),
        legend_(legend_rows()),
        top_(kTop + kTitleLine * static_cast<double>(title_.size())),
        bottom_(top_ + kPlotHeight),
        height_(bottom_ + kBottom + 20 * static_cast<double>(legend_.size()) +
                kNoteLine * static_cast<double>(note_.size())),
        canvas_(kChartWidth, height_, chart.title) {}

  std::string draw() {
    for (std::size_t i = 0; i < title_.size(); ++i) {
      canvas_.text(kLeft, 26 + kTitleLine * static_cast<double>(i), title_[i], TextAnchor::kStart,
                   kTitleSize);
    }
    draw_axes();
    for (std::size_t s = 0; s < chart_.series.size(); ++s) {
      if (chart_.categories.empty()) {
        draw_line(s);
      } else {
        draw_bars(s);
      }
    }
    draw_legend();
    return canvas_.str();
  }

 private:
  using Row = std::vector<std::size_t>;  // of series

  double px(double x) const { return kLeft + x_.position(x) * (kChartWidth - kLeft - kRight); }
  // What lies below a logarithmic axis ends at it.
  double py(double y) const {
    const double at = y_.log && y <= 0 ? 0 : std::clamp(y_.position(y), 0.0, 1.0);
    return bottom_ - at * kPlotHeight;
  }

  double entry_width(std::size_t s) const { return 46 + text_width(chart_.series[s].name, 12); }

  // The series' names, as many on a line as fit.
  std::vector<Row> legend_rows() const {
    std::vector<Row> rows;
    if (chart_.series.size() < 2) return rows;
    double used = kChartWidth;
    for (std::size_t s = 0; s < chart_.series.size(); ++s) {
      if (used + entry_width(s) > kChartWidth - kLeft - kRight) {
        rows.emplace_back();
        used = 0;
      }
      rows.back().push_back(s);
      used += entry_width(s);
    }
    return rows;
  }

  void draw_axes() {
    const double bottom = bottom_, right = kChartWidth - kRight;
    for (const double t : ticks(y_, 6)) {
      canvas_.line(kLeft, py(t), right, py(t), kGridColour);
      canvas_.text(kLeft - 8, py(t) + 4, tick_text(t), TextAnchor::kEnd, 12, kAxisColour);
    }
    if (chart_.categories.empty()) {
      for (const double t : ticks(x_, 8)) {
        canvas_.line(px(t), bottom, px(t), bottom + 5, kAxisColour);
        canvas_.text(px(t), bottom + 19, tick_text(t), TextAnchor::kMiddle, 12, kAxisColour);
      }
    }
    for (std::size_t c = 0; c < chart_.categories.size(); ++c) {
      canvas_.text(px(static_cast<double>(c)), bottom + 19, chart_.categories[c],
                   TextAnchor::kMiddle, 12, kAxisColour);
    }
    canvas_.line(kLeft, bottom, right, bottom, kAxisColour);
    canvas_.text((kLeft + right) / 2, bottom + 44, chart_.x_label, TextAnchor::kMiddle);
    canvas_.vertical_text(20, (top_ + bottom) / 2, chart_.y_label);
  }

  std::vector<ChartPoint> shown_points(std::size_t s) const {
    std::vector<ChartPoint> points;
    std::ranges::copy_if(chart_.series[s].points, std::back_inserter(points),
                         [this](const ChartPoint& p) { return is_shown(chart_, p); });
    if (chart_.categories.empty()) std::ranges::stable_sort(points, {}, &ChartPoint::x);
    return points;
  }

  void draw_error_bar(const ChartPoint& p, double x, const char* colour) {
    constexpr double kCap = 3;
    canvas_.line(x, py(p.low), x, py(p.high), colour, 1.3);
    for (const double end : {p.low, p.high}) {
      canvas_.line(x - kCap, py(end), x + kCap, py(end), colour, 1.3);
    }
  }

  void draw_band(const std::vector<ChartPoint>& points, const char* colour) {
    std::string data, back;
    for (const ChartPoint& p : points) {
      if (!has_bar(p)) continue;
      data += fmt::format("{}{:.2f} {:.2f}", data.empty() ? "M" : "L", px(p.x), py(p.high));
      back = fmt::format("L{:.2f} {:.2f}", px(p.x), py(p.low)) + back;
    }
    if (!data.empty()) canvas_.fill(data + back + "Z", colour, 0.18);
  }

  void draw_line(std::size_t s) {
    const char* colour = series_colour(s);
    const std::vector<ChartPoint> points = shown_points(s);
    std::string data;
    for (const ChartPoint& p : points) {
      data += fmt::format("{}{:.2f} {:.2f}", data.empty() ? "M" : "L", px(p.x), py(p.y));
    }
    const bool few = points.size() <= kFewPoints;
    if (!few) draw_band(points, colour);
    if (points.size() > 1) canvas_.stroke(data, colour, 1.8, series_dash(s));
    if (!few) return;
    for (const ChartPoint& p : points) {
      if (has_bar(p)) draw_error_bar(p, px(p.x), colour);
      canvas_.circle(px(p.x), py(p.y), 3, colour);
    }
  }

  void draw_bars(std::size_t s) {
    const double group = 0.8 * (px(1) - px(0));
    const double width = group / static_cast<double>(chart_.series.size());
    const double base = py(y_.log ? y_.low : std::max(0.0, y_.low));
    for (const ChartPoint& p : shown_points(s)) {
      const double x = px(p.x) - group / 2 + width * static_cast<double>(s);
      const double top = std::min(py(p.y), base);
      canvas_.rectangle(x, top, width * 0.92, std::abs(py(p.y) - base), series_colour(s));
      if (has_bar(p)) draw_error_bar(p, x + width * 0.46, "#222222");
    }
  }

  void draw_legend() {
    double y = bottom_ + kBottom + 6;
    for (const Row& row : legend_) {
      double x = kLeft;
      for (const std::size_t s : row) {
        canvas_.stroke(fmt::format("M{:.2f} {:.2f}h22", x, y), series_colour(s), 3, series_dash(s));
        canvas_.text(x + 28, y + 4, chart_.series[s].name, TextAnchor::kStart, 12);
        x += entry_width(s);
      }
      y += 20;
    }
    for (const std::string& line : note_) {
      canvas_.text(kLeft, y + 4, line, TextAnchor::kStart, kNoteSize, kAxisColour);
      y += kNoteLine;
    }
  }

  const Chart& chart_;
  Axis x_, y_;
  std::vector<std::string> title_, note_;  // in lines
  std::vector<Row> legend_;
  double top_, bottom_, height_;
  SvgCanvas canvas_;
};

}  // namespace

std::string chart_svg(const Chart& chart) { return ChartDrawing(chart).draw(); }

}  // namespace tapehead
