#pragma once

#include <filesystem>
#include <vector>

#include "report/document.h"

// Pictures for papers and slides: SVG 1.1 without style sheets or scripts, which every program
// reads.

namespace tapehead {

/// Writes each chart as NAME.svg, and of each attention map, at its last step, NAME-heads.svg and
/// NAME-layer-N-head-N.svg of the most decided head. The folder is made. Returns the paths. Throws
/// IoError.
std::vector<std::filesystem::path> write_svgs(const std::filesystem::path& folder,
                                              const Document& document);

}  // namespace tapehead
