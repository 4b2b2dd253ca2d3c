#pragma once

#include <string>
#include <vector>

#include "report/document.h"
#include "train/metrics.h"

namespace tapehead {

/// Charts of all probes with a number a layer, or a layer and head, over the training steps, one
/// chart a probe: "entropy/mean" stands in the section on entropy. `layers` are the layers' paths,
/// by which those of an encoder and a decoder are told apart; they may be unknown (empty).
std::vector<Section> probe_sections(const std::vector<ProbeSample>& probes,
                                    const std::vector<std::string>& layers = {});

}  // namespace tapehead
