#pragma once

#include <vector>

#include "analysis/attention_labels.h"
#include "data/task.h"
#include "figures/attention_maps.h"
#include "layers/sequence_model.h"

namespace tapehead {

/// What a model attends to in one held-out row.
struct HeldOutAttention {
  AttentionLabels labels;
  /// One a kind of attention that the model has, in the order in which it computes them.
  std::vector<AttentionMaps> maps;
};

/// Lets the model read held-out row `row`. `step` is the number of its updates, for the maps.
HeldOutAttention held_out_attention(const SequenceModel<float>& net, const Task& task, Index row,
                                    Index step);

}  // namespace tapehead
