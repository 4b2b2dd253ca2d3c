#pragma once

#include <nlohmann/json.hpp>

#include "figures/figures.h"

namespace tapehead {

/// A chart for Vega-Lite, and what the page needs to know beside it:
///
///   {"spec": ..., "series": [names], "logTicks": [...]}
///
/// with the last if y may be shown on a logarithmic axis too, which has these grid lines then.
///
/// The data of the specification are rows {s: series, x, y, l: low, h: high, d: 1 if with dots};
/// its parameter `hidden` lists the series that are not shown. Lines have a point at each datum, or
/// bands in place of error bars where the points are many; with categories there are bars. Names,
/// labels and categories are data: none is read as an expression or as a field's path.
nlohmann::ordered_json vega_lite_chart(const Chart& chart);

}  // namespace tapehead
