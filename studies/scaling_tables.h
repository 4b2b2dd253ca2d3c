#pragma once

#include <vector>

#include "figures/figures.h"
#include "studies/scaling_outcomes.h"

namespace tapehead {

std::vector<Table> scaling_tables(const std::vector<ScalingSetting>& settings);
std::vector<Chart> scaling_charts(const std::vector<ScalingSetting>& settings);

}  // namespace tapehead
