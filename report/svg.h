#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "figures/attention_maps.h"
#include "figures/figures.h"
#include "report/document.h"

// Pictures for papers and slides: SVG 1.1 without style sheets or scripts, which every program
// reads.

namespace tapehead {

/// Lines with points and error bars (bands where the points are many), or bars over categories;
/// title, axes with units, a legend where there are several series.
std::string chart_svg(const Chart& chart);

/// One head's weights at a recorded step, with the symbols of queries and keys where they have
/// room. Of more than 128 queries or keys, a cell shows the largest weight of several, and the
/// picture says so.
std::string head_svg(const AttentionMaps& maps, std::size_t step, HeadChoice choice);

/// All heads at a recorded step beside each other: a row a layer.
std::string heads_svg(const AttentionMaps& maps, std::size_t step);

/// Writes each chart as NAME.svg, and of each attention map, at its last step, NAME-heads.svg and
/// NAME-layer-N-head-N.svg of the most decided head. The folder is made. Returns the paths. Throws
/// IoError.
std::vector<std::filesystem::path> write_svgs(const std::filesystem::path& folder,
                                              const Document& document);

}  // namespace tapehead
