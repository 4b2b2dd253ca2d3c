#pragma once

#include <vector>

#include "analysis/attention_labels.h"
#include "analysis/probe_sample.h"
#include "figures/attention_maps.h"

namespace tapehead {

/// The weights in samples "attention/...", of all steps: maps of one kind of attention each.
/// Layers and positions that the labels do not know, or know another number of, are numbered.
std::vector<AttentionMaps> probed_maps(const std::vector<ProbeSample>& probes,
                                       const AttentionLabels& labels);

}  // namespace tapehead
