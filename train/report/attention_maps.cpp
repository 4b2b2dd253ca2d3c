#include "train/report/attention_maps.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <span>

#include <fmt/format.h>

#include "train/attention_statistics.h"
#include "train/sharded_pass.h"

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

// What stands at each position; a dot for numbers and after the end.
std::vector<std::string> position_symbols(const Vocabulary& symbols,
                                          const std::vector<TokenId>& tokens, bool numbers,
                                          Index count) {
  std::vector<std::string> result;
  for (Index i = 0; i < count; ++i) {
    const TokenId token = numbers ? kPadToken : tokens[static_cast<std::size_t>(i)];
    result.push_back(token == kPadToken ? "." : symbols.symbol(token));
  }
  return result;
}

std::string maps_name(const AttentionTrace<float>& attention) {
  if (attention.cross) return "attention/cross";
  const bool encoder = attention.layer.starts_with("encoder");
  return encoder ? "attention/source" : "attention/weights";
}

std::string maps_title(const std::string& name) {
  if (name == "attention/cross") return "Attention to the source";
  if (name == "attention/source") return "Attention within the source";
  if (name == "attention/weights") return "Attention";
  return name;
}

std::vector<std::string> position_numbers(Index count) {
  std::vector<std::string> result;
  for (Index i = 0; i < count; ++i) result.push_back(fmt::format("{}", i));
  return result;
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

std::vector<std::string> attention_layers(const SequenceModel<float>& net, const Task& task) {
  Batch batch;
  task.held_out_batch(0, 1, batch);
  Tape<float> tape(Tape<float>::Mode::kInference);
  ModelTrace<float> trace;
  net.hidden(tape, input_rows(tape, batch, 0, 1), {}, &trace);
  std::vector<std::string> layers;
  for (const auto& attention : trace.attention) layers.push_back(attention.layer);
  return layers;
}

std::vector<AttentionMaps> attention_maps(const SequenceModel<float>& net, const Task& task,
                                          Index row, Index step) {
  Batch batch;
  task.held_out_batch(row, 1, batch);
  Tape<float> tape(Tape<float>::Mode::kInference);
  ModelTrace<float> trace;
  net.hidden(tape, input_rows(tape, batch, 0, 1), {}, &trace);
  std::vector<AttentionMaps> result;
  for (const auto& attention : trace.attention) {
    const Tensor<float>& weights = attention.weights.value();  // (1, heads, queries, keys)
    const std::string name = maps_name(attention);
    auto maps = std::ranges::find(result, name, &AttentionMaps::name);
    if (maps == result.end()) {
      const bool numbers = batch.feature_width > 0;
      const auto side = [&](bool source, Index count) {
        return source ? position_symbols(task.source_symbols(), batch.sources, false, count)
                      : position_symbols(task.symbols(), batch.inputs, numbers, count);
      };
      const bool encoder = name == "attention/source";
      maps = result.insert(result.end(), {.name = name,
                                          .title = maps_title(name),
                                          .queries = side(encoder, weights.dim(2)),
                                          .keys = side(encoder || attention.cross, weights.dim(3)),
                                          .layers = {},
                                          .heads = weights.dim(1),
                                          .steps = {step},
                                          .weights = {{}}});
    }
    maps->layers.push_back(attention.layer);
    const auto values = weights.values();
    maps->weights.front().insert(maps->weights.front().end(), values.begin(), values.end());
  }
  return result;
}

std::vector<AttentionMaps> probed_maps(const std::vector<ProbeSample>& probes,
                                       const std::vector<AttentionMaps>& known) {
  std::vector<AttentionMaps> result;
  for (const ProbeSample& sample : probes) {
    if (!sample.name.starts_with("attention/") || sample.shape.size() != 4) continue;
    auto maps = std::ranges::find(result, sample.name, &AttentionMaps::name);
    if (maps == result.end()) {
      const auto like = std::ranges::find(known, sample.name, &AttentionMaps::name);
      AttentionMaps fresh;
      if (like != known.end()) fresh = *like;
      fresh.name = sample.name;
      fresh.title = maps_title(sample.name);
      fresh.heads = sample.shape[1];
      fresh.steps.clear();
      fresh.weights.clear();
      // What is not known is numbered.
      if (static_cast<Index>(fresh.layers.size()) != sample.shape[0]) {
        fresh.layers.clear();
        for (Index i = 0; i < sample.shape[0]; ++i) {
          fresh.layers.push_back(fmt::format("layer {}", i + 1));
        }
      }
      if (query_count(fresh) != sample.shape[2]) fresh.queries = position_numbers(sample.shape[2]);
      if (key_count(fresh) != sample.shape[3]) fresh.keys = position_numbers(sample.shape[3]);
      maps = result.insert(result.end(), std::move(fresh));
    }
    maps->steps.push_back(sample.step);
    maps->weights.push_back(sample.values);
  }
  return result;
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
