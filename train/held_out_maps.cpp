#include "train/held_out_maps.h"

#include <algorithm>

#include "analysis/probed_maps.h"
#include "train/batch_loss.h"

namespace tapehead {

namespace {

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

}  // namespace

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

}  // namespace tapehead
