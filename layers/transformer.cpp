#include "layers/transformer.h"

#include <fmt/format.h>

#include "autograd/check.h"
#include "autograd/error.h"

namespace tapehead {

namespace {

const TransformerConfig& checked_model(const TransformerConfig& config) {
  if (config.layers < 1 || config.length < 1 || config.block.hidden < 1) {
    throw ValueError(
        fmt::format("model: {} layers, length {}, feed-forward width {}; each must be "
                    "at least 1",
                    config.layers, config.length, config.block.hidden));
  }
  return config;
}

}  // namespace

template <typename Scalar>
Transformer<Scalar>::Transformer(const Builder<Scalar>& at, const TransformerConfig& config)
    : config_(checked_model(config)),
      token_(at / "token", config.vocabulary, config.block.width),
      positions_(at / "position", config.position, config.length, config.block.width),
      dropout_(at / "dropout", config.block.dropout) {
  const Index width = config.block.width;
  BlockConfig block = config.block;
  block.attention.rotary = rotary_of(config.position);
  block.attention.length = config.length;
  const auto bias = make_distance_bias(at / "position", config.position, block.heads,
                                       config.kind == ModelKind::kEncoder);
  for (Index i = 0; i < config.layers; ++i) blocks_.emplace_back(at / "blocks" / i, block, bias);
  if (config.block.pre_norm) {
    norm_.emplace(at / "norm", config.block.norm, width, config.block.bias, config.block.norm_eps);
  }
  if (!config.tie_embeddings) head_.emplace(at / "head", width, config.vocabulary, false);
}

template <typename Scalar>
Var<Scalar> Transformer<Scalar>::embed(Tape<Scalar>& tape, const TokenTensor& tokens, Index first,
                                       Tensor<Scalar>* state) const {
  return dropout_.forward(positions_.forward(token_.forward(tape, tokens), first, state));
}

template <typename Scalar>
Var<Scalar> Transformer<Scalar>::logits(const Var<Scalar>& x) const {
  const Var<Scalar> y = norm_ ? norm_->forward(x) : x;
  return head_ ? head_->forward(y) : token_.scores(y);
}

template <typename Scalar>
Var<Scalar> Transformer<Scalar>::forward(Tape<Scalar>& tape, const TokenTensor& tokens,
                                         const Mask& mask, AttentionMaps<Scalar>* maps) const {
  check_rank("model", "tokens", tokens.shape(), 2);
  const Mask all = config_.kind == ModelKind::kDecoder ? Mask::causal() & mask : mask;
  Var<Scalar> x = embed(tape, tokens, 0, nullptr);
  for (const TransformerBlock<Scalar>& block : blocks_) x = block.forward(x, all, maps);
  return logits(x);
}

template <typename Scalar>
Var<Scalar> Transformer<Scalar>::forward_cached(Tape<Scalar>& tape, const TokenTensor& tokens,
                                                DecoderCache<Scalar>& cache) const {
  if (config_.kind != ModelKind::kDecoder) {
    throw ValueError("model: an encoder sees the future, so nothing of it can be cached");
  }
  check_rank("model", "tokens", tokens.shape(), 2);
  Var<Scalar> x = embed(tape, tokens, cache.length(), &cache.position_state);
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    x = blocks_[i].forward_cached(x, cache.blocks[i]);
  }
  return logits(x);
}

template <typename Scalar>
DecoderCache<Scalar> Transformer<Scalar>::make_cache(Index capacity) const {
  DecoderCache<Scalar> cache;
  for (const auto& block : blocks_) cache.blocks.push_back(block.make_cache(capacity));
  return cache;
}

template class Transformer<float>;
template class Transformer<double>;

}  // namespace tapehead
