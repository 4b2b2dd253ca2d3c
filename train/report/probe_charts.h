#pragma once

#include <vector>

#include "train/metrics.h"
#include "train/report/document.h"

namespace tapehead {

/// Charts of all probes with a number a layer, or a layer and head, over the training steps, one
/// chart a probe: "entropy/mean" stands in the section on entropy.
std::vector<Section> probe_sections(const std::vector<ProbeSample>& probes);

}  // namespace tapehead
