#include "train/studies/head_maps.h"

#include <algorithm>

#include <fmt/format.h>

#include "train/sharded_pass.h"

namespace tapehead {

namespace {

constexpr Index kMostMapPositions = 64;

struct TracedRow {
  Batch batch;
  Tape<float> tape{Tape<float>::Mode::kInference};
  ModelTrace<float> trace;

  TracedRow(const SequenceModel<float>& net, const Task& task, Index row) {
    task.held_out_batch(row, 1, batch);
    net.hidden(tape, input_rows(tape, batch, 0, 1), {}, &trace);
  }
};

// What stands at each of the first positions of a row; real numbers are named by their time step.
std::vector<std::string> position_labels(const Task& task, const Batch& batch, bool source) {
  const Index length = std::min(source ? batch.source_length : batch.length, kMostMapPositions);
  std::vector<std::string> labels;
  for (Index i = 0; i < length; ++i) {
    if (!source && batch.feature_width > 0) {
      labels.push_back(fmt::format("{}", i + 1));
      continue;
    }
    const TokenId token = (source ? batch.sources : batch.inputs)[static_cast<std::size_t>(i)];
    const Vocabulary& symbols = source ? task.source_symbols() : task.symbols();
    labels.push_back(token == kPadToken ? "" : symbols.symbol(token));
  }
  return labels;
}

// Appends the first positions of (1, H, n_q, n_k).
void append_weights(const Tensor<float>& weights, std::size_t queries, std::size_t keys,
                    std::vector<float>& all) {
  const Index n_q = weights.dim(2), n_k = weights.dim(3);
  for (Index h = 0; h < weights.dim(1); ++h) {
    for (std::size_t i = 0; i < queries; ++i) {
      std::copy_n(weights.data() + (h * n_q + static_cast<Index>(i)) * n_k, keys,
                  std::back_inserter(all));
    }
  }
}

}  // namespace

std::vector<HeadLayer> layers_of(const SequenceModel<float>& net, const Task& task) {
  return head_layers(TracedRow(net, task, 0).trace);
}

std::vector<AttentionMaps> maps_of_heads(const SequenceModel<float>& net, const Task& task,
                                         Index step, Index row) {
  const TracedRow traced(net, task, row);
  const std::vector<HeadLayer> layers = head_layers(traced.trace);
  struct View {
    const char *name, *title;
    bool of_source, cross;
  };
  constexpr View kViews[] = {
      {"attention", "Attention of a sequence to itself, held-out row {}", false, false},
      {"source_attention", "Attention of the source to itself, held-out row {}", true, false},
      {"cross_attention", "Attention of the target to the source, held-out row {}", false, true}};
  std::vector<AttentionMaps> all;
  for (const View& view : kViews) {
    AttentionMaps maps;
    maps.name = view.name;
    maps.title = fmt::format(fmt::runtime(view.title), row + 1);
    maps.queries = position_labels(task, traced.batch, view.of_source);
    maps.keys = position_labels(task, traced.batch, view.of_source || view.cross);
    maps.steps = {step};
    maps.weights.emplace_back();
    for (std::size_t l = 0; l < layers.size(); ++l) {
      if (layers[l].of_source != view.of_source || layers[l].cross != view.cross) continue;
      maps.layers.push_back(layers[l].path);
      maps.heads = layers[l].heads;
      append_weights(traced.trace.attention[l].weights.value(), maps.queries.size(),
                     maps.keys.size(), maps.weights.back());
    }
    if (!maps.layers.empty()) all.push_back(std::move(maps));
  }
  return all;
}

}  // namespace tapehead
