#include "analysis/attention_labels.h"

#include <algorithm>

#include <fmt/format.h>

namespace tapehead {

namespace {

// The number of layer i among those of its kind, from 1.
std::ptrdiff_t number_of(const std::vector<AttentionLayer>& layers, std::size_t i) {
  const auto end = layers.begin() + static_cast<std::ptrdiff_t>(i) + 1;
  return std::ranges::count(layers.begin(), end, layers[i].kind, &AttentionLayer::kind);
}

bool has_source(const std::vector<AttentionLayer>& layers) {
  return std::ranges::any_of(layers, looks_at_source, &AttentionLayer::kind);
}

// What stands at each of the first `count` positions; a dot for a number and after the end.
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

}  // namespace

std::vector<AttentionLayer> attention_layers(const ModelTrace<float>& trace) {
  std::vector<AttentionLayer> layers;
  for (const AttentionTrace<float>& a : trace.attention) {
    layers.push_back({.path = a.layer, .kind = a.kind, .heads = a.options.heads});
  }
  return layers;
}

std::string layer_title(const std::vector<AttentionLayer>& layers, std::size_t i) {
  const auto number = number_of(layers, i);
  if (!has_source(layers)) return fmt::format("layer {}", number);
  const AttentionKind kind = layers[i].kind;
  return fmt::format("{} layer {}{}", kind == AttentionKind::kSource ? "encoder" : "decoder",
                     number, kind == AttentionKind::kCross ? " to source" : "");
}

std::string short_layer_name(const std::vector<AttentionLayer>& layers, std::size_t i) {
  const auto number = number_of(layers, i);
  if (!has_source(layers)) return fmt::format("{}", number);
  switch (layers[i].kind) {
    case AttentionKind::kSelf:
      return fmt::format("decoder {}", number);
    case AttentionKind::kCross:
      return fmt::format("cross {}", number);
    case AttentionKind::kSource:
      break;
  }
  return fmt::format("encoder {}", number);
}

std::string_view weights_name(AttentionKind kind) {
  switch (kind) {
    case AttentionKind::kSelf:
      return "attention/weights";
    case AttentionKind::kCross:
      return "attention/cross";
    case AttentionKind::kSource:
      break;
  }
  return "attention/source";
}

AttentionLabels attention_labels(const ModelTrace<float>& trace, const Task& task,
                                 const Batch& batch) {
  return {.layers = attention_layers(trace),
          .symbols =
              position_symbols(task.symbols(), batch.inputs, batch.feature_width > 0, batch.length),
          .source_symbols =
              position_symbols(task.source_symbols(), batch.sources, false, batch.source_length)};
}

}  // namespace tapehead
