#pragma once

#include <array>
#include <cstddef>

namespace tapehead {

/// The colours of series, in their order, told apart by colour-blind people too and readable on
/// white and on black; assets/page.css has the same. After the last they begin again, with lines
/// that are dashed.
inline constexpr std::array<const char*, 8> kSeriesColours = {
    "#3b74d8", "#e07b39", "#2a9d7f", "#c8477a", "#8a63d2", "#c29a1b", "#3aa6c9", "#7a7f8a"};

inline const char* series_colour(std::size_t series) {
  return kSeriesColours[series % kSeriesColours.size()];
}

/// As stroke-dasharray; empty for a solid line.
inline const char* series_dash(std::size_t series) {
  constexpr std::array kDashes = {"", "6 3", "2 3", "8 3 2 3"};
  return kDashes[series / kSeriesColours.size() % kDashes.size()];
}

}  // namespace tapehead
