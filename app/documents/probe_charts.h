#pragma once

#include <string>
#include <vector>

#include "analysis/attention_labels.h"
#include "analysis/probe_sample.h"
#include "report/document.h"

namespace tapehead {

/// Charts of all probes with a number a layer, or a layer and head, over the training steps, one
/// chart a probe: "entropy/mean" stands in the section on entropy. `layers` are those of the model,
/// by which an encoder's and a decoder's are told apart; they may be unknown (none).
std::vector<Section> probe_sections(const std::vector<ProbeSample>& probes,
                                    const std::vector<AttentionLayer>& layers = {});

}  // namespace tapehead
