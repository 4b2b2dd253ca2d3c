#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "data/batch.h"
#include "data/task.h"
#include "layers/sequence_model.h"
#include "train/metrics.h"
#include "train/report/figures.h"

namespace tapehead {

/// One head of the maps.
struct HeadChoice {
  Index layer = 0, head = 0;

  bool operator==(const HeadChoice&) const = default;
};

/// The (queries, keys) weights of one head at the recorded step with this index.
const float* head_weights(const AttentionMaps& maps, std::size_t step, HeadChoice choice);
/// The largest of the weights that a head gives at a recorded step.
float largest_weight(const AttentionMaps& maps, std::size_t step, HeadChoice choice);
/// The head with the smallest mean entropy over the queries: the most decided. The first of equals.
HeadChoice most_decided_head(const AttentionMaps& maps, std::size_t step);

/// The weights that the model gives on one held-out row, after `step` updates: "attention/weights"
/// of self-attention, "attention/source" of an encoder beside a decoder, "attention/cross" to a
/// source, as far as the model has them. Layers whose maps differ in size do not stand together.
std::vector<AttentionMaps> attention_maps(const SequenceModel<float>& net, const Task& task,
                                          Index row, Index step);

/// The weights that the probes "attention/..." recorded on held-out row 0, of all steps. `layers`
/// and `symbols` are of maps of the same names, as attention_maps() gives them, or of none.
std::vector<AttentionMaps> probed_maps(const std::vector<ProbeSample>& probes,
                                       const std::vector<AttentionMaps>& known);

/// The maps with at most `most_weights` weights: of some steps only, the first and the last
/// included, and if one step is too much, of the first positions. What was left out is said in
/// `note`, which is else empty.
AttentionMaps fitted_maps(AttentionMaps maps, std::size_t most_weights, std::string& note);

}  // namespace tapehead
