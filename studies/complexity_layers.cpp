#include "studies/complexity_layers.h"

#include <memory>
#include <string>

#include <fmt/format.h>

#include "autograd/gradcheck.h"
#include "autograd/ops/attention.h"
#include "autograd/to_float.h"
#include "base/denormals.h"
#include "base/error.h"
#include "layers/causal_conv.h"
#include "layers/linear.h"
#include "layers/recurrent.h"

namespace tapehead {

namespace {

constexpr Index kLayerWidth = 64;
constexpr Index kLayerHeads = 4;
constexpr Index kLayerKernel = 3;

constexpr ComparedLayer kComparedLayers[] = {
    {"attention_kept", true}, {"attention_tiled"}, {"rnn"}, {"lstm"}, {"conv"}};

using LayerFunction = std::function<Var<float>(const Var<float>&)>;

// As MultiHeadAttention, which leaves it to the length whether weights are kept.
LayerFunction attention_layer(const Builder<float>& root, bool keep_weights) {
  const auto linear = [&root](const char* name) {
    return std::make_shared<const Linear<float>>(root / name, kLayerWidth, kLayerWidth);
  };
  AttentionOptions options;
  options.heads = options.kv_heads = kLayerHeads;
  options.mask = Mask::causal();
  options.keep_weights = keep_weights;
  return [q = linear("fc_q"), k = linear("fc_k"), v = linear("fc_v"), o = linear("fc_o"),
          options](const Var<float>& x) {
    return o->forward(attention(q->forward(x), k->forward(x), v->forward(x), options));
  };
}

LayerFunction recurrent_layer(const Builder<float>& root, CellKind cell) {
  RecurrentConfig config;
  config.cell = cell;
  config.input = config.hidden = kLayerWidth;
  const auto layer = std::make_shared<const Recurrent<float>>(root, config);
  return [layer](const Var<float>& x) { return layer->forward(x); };
}

LayerFunction conv_layer(const Builder<float>& root) {
  const auto layer =
      std::make_shared<const CausalConv<float>>(root, kLayerWidth, kLayerWidth, kLayerKernel, 1);
  return [layer](const Var<float>& x) { return layer->forward(x); };
}

LayerFunction make_layer(std::string_view name, const Builder<float>& root) {
  if (name == "attention_kept") return attention_layer(root, true);
  if (name == "attention_tiled") return attention_layer(root, false);
  if (name == "rnn") return recurrent_layer(root, CellKind::kRnn);
  if (name == "lstm") return recurrent_layer(root, CellKind::kLstm);
  if (name == "conv") return conv_layer(root);
  throw ValueError(fmt::format(
      "study complexity: there is no layer '{}'; there are attention_kept, attention_tiled, rnn, "
      "lstm and conv",
      name));
}

}  // namespace

std::span<const ComparedLayer> compared_layers() { return kComparedLayers; }

LayerPass::LayerPass(std::string_view layer, Index length, std::uint64_t seed)
    : forward_(make_layer(layer, Builder<float>(store_, seed))),
      x_(to_float(randn({1, length, kLayerWidth}, 2 * seed))),
      upstream_(to_float(randn({1, length, kLayerWidth}, 2 * seed + 1))),
      gradients_(store_.make_buffer()) {
  tape_.bind_gradients(store_, gradients_);
}

void LayerPass::run() {
  const FlushDenormals flush;  // gradients through a long recurrent network become tiny
  tape_.clear();
  gradients_.fill(0.0F);
  tape_.backward(forward_(tape_.leaf(x_, true)), upstream_);
}

}  // namespace tapehead
