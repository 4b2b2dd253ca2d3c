#pragma once

#include <string>

#include "data/task.h"
#include "layers/sequence_model.h"

namespace tapehead {

/// What a model makes of one held-out row: what it was given, what was expected of it, what it
/// predicts at the places that count.
struct Sample {
  std::string input, expected, predicted;
};
Sample make_sample(const SequenceModel<float>& net, const Task& task, Index row = 0);

/// The attention of one head to one held-out row, or to its source if it has one, as text: a line a
/// query, a character a key, darker where the weight is larger. Shows, of all heads, the one with
/// the most decided attention (the smallest mean entropy over queries that have a choice). Empty
/// for models without attention.
std::string attention_map(const SequenceModel<float>& net, const Task& task, Index row = 0);

}  // namespace tapehead
