#pragma once

#include <string>
#include <vector>

#include "studies/scaling_outcomes.h"

namespace tapehead {

/// Sentences, each of which names its seeds.
std::vector<std::string> scaling_findings(const std::vector<ScalingSetting>& settings);

}  // namespace tapehead
