#pragma once

#include <vector>

#include "figures/figures.h"
#include "studies/saturation_results.h"

namespace tapehead {

std::vector<Table> saturation_tables(const SaturationResults& results);
std::vector<Chart> saturation_charts(const SaturationResults& results);

}  // namespace tapehead
