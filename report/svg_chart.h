#pragma once

#include <string>

#include "figures/figures.h"

namespace tapehead {

/// Lines with points and error bars (bands where the points are many), or bars over categories;
/// title, axes with units, a legend where there are several series.
std::string chart_svg(const Chart& chart);

}  // namespace tapehead
