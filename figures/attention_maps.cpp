#include "figures/attention_maps.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include <fmt/format.h>

#include "figures/attention_statistics.h"

namespace tapehead {

namespace {

Index query_count(const AttentionMaps& maps) { return static_cast<Index>(maps.queries.size()); }
Index key_count(const AttentionMaps& maps) { return static_cast<Index>(maps.keys.size()); }

// Mean entropy, in nats, of one head's rows of weights. Rows that see one key alone have none, in
// every head the same rows.
double mean_entropy(const float* weights, Index queries, Index keys) {
  const double sum = entropy(std::span(weights, static_cast<std::size_t>(queries * keys)));
  return queries == 0 ? 0 : sum / static_cast<double>(queries);
}

}  // namespace

const float* head_weights(const AttentionMaps& maps, std::size_t step, HeadChoice choice) {
  const Index map = choice.layer * maps.heads + choice.head;
  return maps.weights[step].data() + map * query_count(maps) * key_count(maps);
}

float largest_weight(const AttentionMaps& maps, std::size_t step, HeadChoice choice) {
  const float* weights = head_weights(maps, step, choice);
  const Index count = query_count(maps) * key_count(maps);
  return count == 0 ? 0.0F : *std::max_element(weights, weights + count);
}

HeadChoice most_decided_head(const AttentionMaps& maps, std::size_t step) {
  HeadChoice best;
  double lowest = std::numeric_limits<double>::infinity();
  for (Index layer = 0; layer < static_cast<Index>(maps.layers.size()); ++layer) {
    for (Index head = 0; head < maps.heads; ++head) {
      const double entropy =
          mean_entropy(head_weights(maps, step, {layer, head}), query_count(maps), key_count(maps));
      if (entropy < lowest) {
        lowest = entropy;
        best = {layer, head};
      }
    }
  }
  return best;
}

namespace {

// The first `n` queries and keys of every map.
AttentionMaps cropped(const AttentionMaps& maps, Index n) {
  AttentionMaps result = maps;
  const Index queries = std::min(n, query_count(maps)), keys = std::min(n, key_count(maps));
  result.queries.resize(static_cast<std::size_t>(queries));
  result.keys.resize(static_cast<std::size_t>(keys));
  const Index heads = static_cast<Index>(maps.layers.size()) * maps.heads;
  for (std::size_t s = 0; s < maps.steps.size(); ++s) {
    std::vector<float>& weights = result.weights[s];
    weights.clear();
    for (Index row = 0; row < heads * query_count(maps); ++row) {
      if (row % query_count(maps) >= queries) continue;
      const float* first = maps.weights[s].data() + row * key_count(maps);
      weights.insert(weights.end(), first, first + keys);
    }
  }
  return result;
}

}  // namespace

AttentionMaps fitted_maps(AttentionMaps maps, std::size_t most_weights, std::string& note) {
  note.clear();
  const std::size_t heads = maps.layers.size() * static_cast<std::size_t>(maps.heads);
  const std::size_t one_step = heads * maps.queries.size() * maps.keys.size();
  if (one_step == 0 || maps.steps.empty()) return maps;
  const std::size_t had = maps.steps.size();
  const std::size_t fit = std::max<std::size_t>(1, most_weights / one_step);
  if (fit < had) {  // the last step, and others evenly before it
    std::vector<Index> steps;
    std::vector<std::vector<float>> weights;
    for (std::size_t i = 0; i < fit; ++i) {
      const std::size_t s = fit == 1 ? had - 1 : i * (had - 1) / (fit - 1);
      steps.push_back(maps.steps[s]);
      weights.push_back(std::move(maps.weights[s]));
    }
    maps.steps = std::move(steps);
    maps.weights = std::move(weights);
    note =
        fmt::format("Of {} recorded steps {} are shown, so that the page stays small. ", had, fit);
  }
  if (one_step > most_weights) {
    const double share = static_cast<double>(most_weights) / static_cast<double>(heads);
    const auto n = std::max<Index>(1, static_cast<Index>(std::sqrt(share)));
    note += fmt::format("Of {} queries and {} keys the first {} are shown.", maps.queries.size(),
                        maps.keys.size(), n);
    maps = cropped(maps, n);
  }
  if (note.ends_with(' ')) note.pop_back();
  return maps;
}

}  // namespace tapehead
