#pragma once

#include <vector>

#include "data/task.h"
#include "layers/sequence_model.h"
#include "train/report/figures.h"
#include "train/studies/head_measures.h"

namespace tapehead {

/// The attention layers of a model, as it reads rows of the task.
std::vector<HeadLayer> layers_of(const SequenceModel<float>& net, const Task& task);

/// What all heads attend to in held-out row `row`, after `step` updates: one set of maps of the
/// layers that look from a sequence to itself, one for sources, one for cross-attention. Of long
/// rows, the first 64 positions.
std::vector<AttentionMaps> maps_of_heads(const SequenceModel<float>& net, const Task& task,
                                         Index step, Index row = 0);

}  // namespace tapehead
