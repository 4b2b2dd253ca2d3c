#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "data/task.h"
#include "layers/model_trace.h"

// What the layers, queries and keys of a model's attention are called.

namespace tapehead {

/// An attention layer of a model.
struct AttentionLayer {
  std::string path;  ///< "decoder.blocks.0.cross_attention"
  AttentionKind kind = AttentionKind::kSelf;
  Index heads = 0;

  bool operator==(const AttentionLayer&) const = default;
};

/// Those of a traced pass, in the order of computation.
std::vector<AttentionLayer> attention_layers(const ModelTrace<float>& trace);

/// The name of layer i for a page: "layer 2"; of an encoder-decoder "decoder layer 2",
/// "decoder layer 2 to source" and "encoder layer 2". Layers of each kind are counted from 1.
std::string layer_title(const std::vector<AttentionLayer>& layers, std::size_t i);
/// The same for a table: "2"; "decoder 2", "cross 2" and "encoder 2".
std::string short_layer_name(const std::vector<AttentionLayer>& layers, std::size_t i);

/// The probe and the maps that hold the weights of layers of a kind: "attention/weights" of kSelf,
/// "attention/cross", "attention/source".
std::string_view weights_name(AttentionKind kind);

/// What stands beside the attention of one row: the layers, and a symbol for each position.
struct AttentionLabels {
  std::vector<AttentionLayer> layers;       ///< in the order of computation; none: not known
  std::vector<std::string> symbols;         ///< of the model's own sequence; "." for a number
  std::vector<std::string> source_symbols;  ///< of the source of an encoder-decoder

  bool operator==(const AttentionLabels&) const = default;
};

/// Those of the first row of `batch`, which the traced pass read.
AttentionLabels attention_labels(const ModelTrace<float>& trace, const Task& task,
                                 const Batch& batch);

}  // namespace tapehead
