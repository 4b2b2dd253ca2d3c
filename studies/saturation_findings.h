#pragma once

#include <string>
#include <vector>

#include "studies/saturation_results.h"

namespace tapehead {

/// Sentences, each from the numbers beside it.
std::vector<std::string> saturation_findings(const SaturationResults& results);

}  // namespace tapehead
