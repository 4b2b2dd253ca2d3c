#pragma once

#include <string>
#include <vector>

#include "data/task.h"
#include "figures/attention_maps.h"
#include "layers/sequence_model.h"

namespace tapehead {

/// The weights that the model gives on one held-out row, after `step` updates: "attention/weights"
/// of self-attention, "attention/source" of an encoder beside a decoder, "attention/cross" to a
/// source, as far as the model has them. Layers whose maps differ in size do not stand together.
std::vector<AttentionMaps> attention_maps(const SequenceModel<float>& net, const Task& task,
                                          Index row, Index step);

/// The paths of the attention layers, in the order of computation, in which probes count them:
/// "blocks.0.attention".
std::vector<std::string> attention_layers(const SequenceModel<float>& net, const Task& task);

}  // namespace tapehead
