#include "layers/transformer.h"

#include <fmt/format.h>

#include "autograd/check.h"
#include "autograd/error.h"

namespace tapehead {

template <typename Scalar>
Transformer<Scalar>::Transformer(const Builder<Scalar>& at, const TransformerConfig& config)
    : config_(config),
      token_(at / "token", config.vocabulary, config.block.width),
      dropout_(at / "dropout", config.block.dropout) {
  if (config.layers < 1 || config.length < 1 || config.block.hidden < 1) {
    throw ValueError(
        fmt::format("model: {} layers, length {}, feed-forward width {}; each must be "
                    "at least 1",
                    config.layers, config.length, config.block.hidden));
  }
  const Index width = config.block.width;
  if (config.position == PositionKind::kLearned) {
    learned_.emplace(at / "position", config.length, width);
  } else if (config.position == PositionKind::kSinusoidal) {
    sinusoidal_.emplace(config.length, width);
  }
  for (Index i = 0; i < config.layers; ++i) {
    blocks_.emplace_back(at / "blocks" / i, config.block);
  }
  if (config.block.pre_norm) {
    norm_.emplace(at / "norm", config.block.norm, width, config.block.bias, config.block.norm_eps);
  }
  if (!config.tie_embeddings) head_.emplace(at / "head", width, config.vocabulary, false);
}

template <typename Scalar>
Var<Scalar> Transformer<Scalar>::embed(Tape<Scalar>& tape, const TokenTensor& tokens) const {
  Var<Scalar> x = token_.forward(tape, tokens);
  if (learned_) x = learned_->forward(x);
  if (sinusoidal_) x = sinusoidal_->forward(x);
  return dropout_.forward(x);
}

template <typename Scalar>
Var<Scalar> Transformer<Scalar>::forward(Tape<Scalar>& tape, const TokenTensor& tokens,
                                         const Mask& mask, AttentionMaps<Scalar>* maps) const {
  check_rank("model", "tokens", tokens.shape(), 2);
  const Mask all = config_.kind == ModelKind::kDecoder ? Mask::causal() & mask : mask;
  Var<Scalar> x = embed(tape, tokens);
  for (const TransformerBlock<Scalar>& block : blocks_) x = block.forward(x, all, maps);
  if (norm_) x = norm_->forward(x);
  return head_ ? head_->forward(x) : token_.scores(x);
}

template class Transformer<float>;
template class Transformer<double>;

}  // namespace tapehead
