#include "layers/transformer_trunk.h"

#include <fmt/format.h>

#include "base/error.h"

namespace tapehead {

namespace {

void check_causal(ModelKind kind) {
  if (kind == ModelKind::kDecoder) return;
  throw ValueError("model: an encoder sees the future, so nothing of it can be cached");
}

const TrunkConfig& checked_trunk(const TrunkConfig& config) {
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
TransformerTrunk<Scalar>::TransformerTrunk(const Builder<Scalar>& at, const TrunkConfig& config)
    : config_(checked_trunk(config)),
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
}

template <typename Scalar>
Var<Scalar> TransformerTrunk<Scalar>::at_positions(const Var<Scalar>& x, Index first,
                                                   Tensor<Scalar>* state) const {
  return dropout_.forward(positions_.forward(x, first, state));
}

template <typename Scalar>
Var<Scalar> TransformerTrunk<Scalar>::forward(const Var<Scalar>& x, const Mask& mask,
                                              ModelTrace<Scalar>* trace,
                                              const EncodedSource<Scalar>* source) const {
  const Mask all = config_.kind == ModelKind::kDecoder ? Mask::causal() & mask : mask;
  Var<Scalar> y = at_positions(x, 0, nullptr);
  for (const TransformerBlock<Scalar>& block : blocks_) y = block.forward(y, all, trace, source);
  return normalized(y);
}

template <typename Scalar>
Var<Scalar> TransformerTrunk<Scalar>::forward_cached(const Var<Scalar>& x,
                                                     DecoderCache<Scalar>& cache) const {
  check_causal(config_.kind);
  Var<Scalar> y = at_positions(x, cache.length(), &cache.position_state);
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    y = blocks_[i].forward_cached(y, cache.blocks[i],
                                  cache.sources.empty() ? nullptr : &cache.sources[i]);
  }
  return normalized(y);
}

template <typename Scalar>
DecoderCache<Scalar> TransformerTrunk<Scalar>::make_cache(Index capacity,
                                                          const Var<Scalar>* source) const {
  check_causal(config_.kind);
  DecoderCache<Scalar> cache;
  for (const auto& block : blocks_) {
    cache.blocks.push_back(block.make_cache(capacity));
    if (source != nullptr) cache.sources.push_back(block.make_source_cache(*source));
  }
  return cache;
}

template class TransformerTrunk<float>;
template class TransformerTrunk<double>;

}  // namespace tapehead
