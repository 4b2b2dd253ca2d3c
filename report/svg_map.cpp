#include "report/svg_map.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "report/svg_canvas.h"

namespace tapehead {

namespace {

constexpr Index kMostCells = 128;        // a side, so that the file stays small
constexpr std::size_t kMostLabels = 64;  // a side, so that they can be read
constexpr const char* kMapColour = "#2456b3";
constexpr std::size_t kShades = 32;

// The cells of a map: each the largest weight of `stride` x `stride` positions.
struct MapCells {
  Index rows = 0, columns = 0, stride = 1;
  std::vector<float> weights;
};

MapCells cells_of(const AttentionMaps& maps, std::size_t step, HeadChoice choice) {
  const auto queries = static_cast<Index>(maps.queries.size());
  const auto keys = static_cast<Index>(maps.keys.size());
  MapCells cells;
  cells.stride = (std::max(queries, keys) + kMostCells - 1) / kMostCells;
  cells.stride = std::max<Index>(1, cells.stride);
  cells.rows = (queries + cells.stride - 1) / cells.stride;
  cells.columns = (keys + cells.stride - 1) / cells.stride;
  cells.weights.resize(static_cast<std::size_t>(cells.rows * cells.columns));
  const float* weights = head_weights(maps, step, choice);
  for (Index i = 0; i < queries; ++i) {
    for (Index j = 0; j < keys; ++j) {
      const Index cell = i / cells.stride * cells.columns + j / cells.stride;
      float& largest = cells.weights[static_cast<std::size_t>(cell)];
      largest = std::max(largest, weights[i * keys + j]);
    }
  }
  return cells;
}

// Draws the cells, one path a shade, and a frame around them.
void draw_cells(SvgCanvas& canvas, const MapCells& cells, double x, double y, double size) {
  std::array<std::string, kShades> paths;
  for (Index i = 0; i < cells.rows; ++i) {
    for (Index j = 0; j < cells.columns; ++j) {
      const float w = cells.weights[static_cast<std::size_t>(i * cells.columns + j)];
      const auto level = static_cast<std::size_t>(
          std::lround(std::clamp(w, 0.0F, 1.0F) * static_cast<float>(kShades)));
      if (level == 0) continue;
      paths[level - 1] +=
          fmt::format("M{:.2f} {:.2f}h{:.2f}v{:.2f}h-{:.2f}z", x + size * static_cast<double>(j),
                      y + size * static_cast<double>(i), size, size, size);
    }
  }
  for (std::size_t level = 0; level < kShades; ++level) {
    const double opacity = static_cast<double>(level + 1) / static_cast<double>(kShades);
    if (!paths[level].empty()) canvas.fill(paths[level], kMapColour, opacity);
  }
  canvas.stroke(
      fmt::format("M{:.2f} {:.2f}h{:.2f}v{:.2f}h-{:.2f}z", x, y,
                  size * static_cast<double>(cells.columns), size * static_cast<double>(cells.rows),
                  size * static_cast<double>(cells.columns)),
      "#9aa0ab", 1, "");
}

std::string head_title(const AttentionMaps& maps, std::size_t step, HeadChoice choice) {
  return fmt::format("{}: layer {}, head {}, after step {}", maps.title, choice.layer + 1,
                     choice.head + 1, maps.steps[step]);
}

double widest(const std::vector<std::string>& symbols, double size) {
  double width = 0;
  for (const std::string& symbol : symbols) width = std::max(width, text_width(symbol, size));
  return width;
}

}  // namespace

std::string head_svg(const AttentionMaps& maps, std::size_t step, HeadChoice choice) {
  const MapCells cells = cells_of(maps, step, choice);
  const bool labels = maps.queries.size() <= kMostLabels && maps.keys.size() <= kMostLabels;
  const double cell = labels ? 16 : 4;
  constexpr double kLabelSize = 11, kEdge = 16, kTitle = 44, kAxisName = 24;
  const double left = kEdge + kAxisName + (labels ? widest(maps.queries, kLabelSize) + 6 : 0);
  const double top = kTitle + kAxisName + (labels ? widest(maps.keys, kLabelSize) + 6 : 0);
  const double width = cell * static_cast<double>(cells.columns);
  const double height = cell * static_cast<double>(cells.rows);
  const std::string title = head_title(maps, step, choice);
  SvgCanvas canvas(std::max(left + width + kEdge, text_width(title, 15) + 2 * kEdge),
                   top + height + 2 * kEdge + 8, title);
  canvas.text(kEdge, 26, title, TextAnchor::kStart, 15);
  canvas.text(left + width / 2, kTitle + 12, "key", TextAnchor::kMiddle, 12);
  canvas.vertical_text(kEdge + 10, top + height / 2, "query", 12);
  for (std::size_t i = 0; labels && i < maps.queries.size(); ++i) {
    canvas.text(left - 5, top + cell * (static_cast<double>(i) + 0.75), maps.queries[i],
                TextAnchor::kEnd, kLabelSize);
  }
  for (std::size_t j = 0; labels && j < maps.keys.size(); ++j) {
    const double x = left + cell * (static_cast<double>(j) + 0.75);
    canvas.vertical_text(x, top - 5 - text_width(maps.keys[j], kLabelSize) / 2, maps.keys[j],
                         kLabelSize);
  }
  draw_cells(canvas, cells, left, top, cell);
  const std::string note =
      cells.stride == 1
          ? "white: 0, dark: 1"
          : fmt::format("white: 0, dark: 1; a cell is the largest of {0} x {0} weights",
                        cells.stride);
  canvas.text(left, top + height + kEdge + 4, note, TextAnchor::kStart, 11, "#555b66");
  return canvas.str();
}

std::string heads_svg(const AttentionMaps& maps, std::size_t step) {
  constexpr double kPanel = 132, kGap = 14, kTitle = 44, kEdge = 16, kName = 18;
  const auto layers = static_cast<Index>(maps.layers.size());
  const std::string title =
      fmt::format("{}: all heads, after step {}", maps.title, maps.steps[step]);
  const double width = 2 * kEdge + static_cast<double>(maps.heads) * (kPanel + kGap) - kGap;
  SvgCanvas canvas(std::max(width, text_width(title, 15) + 2 * kEdge),
                   kTitle + kEdge + static_cast<double>(layers) * (kPanel + kName + kGap), title);
  canvas.text(kEdge, 26, title, TextAnchor::kStart, 15);
  for (Index layer = 0; layer < layers; ++layer) {
    for (Index head = 0; head < maps.heads; ++head) {
      const double x = kEdge + static_cast<double>(head) * (kPanel + kGap);
      const double y = kTitle + static_cast<double>(layer) * (kPanel + kName + kGap);
      const MapCells cells = cells_of(maps, step, {layer, head});
      canvas.text(x, y + 12, fmt::format("layer {}, head {}", layer + 1, head + 1),
                  TextAnchor::kStart, 12);
      draw_cells(canvas, cells, x, y + kName,
                 kPanel / static_cast<double>(std::max(cells.rows, cells.columns)));
    }
  }
  return canvas.str();
}

}  // namespace tapehead
