#pragma once

#include <string>
#include <vector>

#include "base/types.h"

namespace tapehead {

/// The attention weights of one example: of every layer and head, at one training step or several.
struct AttentionMaps {
  std::string name, title;
  std::vector<std::string> queries, keys;  ///< what stands at each position
  std::vector<std::string> layers;         ///< "blocks.0.attention"
  Index heads = 0;
  std::vector<Index> steps;  ///< updates made
  /// For each step (layers, heads, queries, keys), row-major.
  std::vector<std::vector<float>> weights;

  bool operator==(const AttentionMaps&) const = default;
};

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

/// The maps with at most `most_weights` weights: of some steps only, the first and the last
/// included, and if one step is too much, of the first positions. What was left out is said in
/// `note`, which is else empty.
AttentionMaps fitted_maps(AttentionMaps maps, std::size_t most_weights, std::string& note);

}  // namespace tapehead
