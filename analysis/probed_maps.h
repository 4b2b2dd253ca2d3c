#pragma once

#include <string>
#include <vector>

#include "analysis/probe_sample.h"
#include "figures/attention_maps.h"

namespace tapehead {

/// The title of the maps of one name: "attention/cross" is "Attention to the source".
std::string maps_title(const std::string& name);

/// The weights that the probes "attention/..." recorded on held-out row 0, of all steps. `layers`
/// and `symbols` are of maps of the same names, as attention_maps() gives them, or of none.
std::vector<AttentionMaps> probed_maps(const std::vector<ProbeSample>& probes,
                                       const std::vector<AttentionMaps>& known);

}  // namespace tapehead
