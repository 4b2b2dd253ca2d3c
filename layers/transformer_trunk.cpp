#include "layers/transformer_trunk.h"

#include <fmt/format.h>

#include "base/error.h"

namespace tapehead {

namespace {

void check_causal(bool causal) {
  if (causal) return;
  throw ValueError("model: an encoder sees the future, so nothing of it can be cached");
}

const TrunkConfig& checked_trunk(const TrunkConfig& config) {
  if (config.layers < 1 || config.length < 1 || config.block.d_ff < 1) {
    throw ValueError(fmt::format("model: {} layers, length {}, d_ff {}; each must be at least 1",
                                 config.layers, config.length, config.block.d_ff));
  }
  return config;
}

}  // namespace

std::vector<AttentionConflict> TrunkConfig::conflicts() const {
  auto all = size_conflicts(block.d_model, block.heads, block.kv_heads, block.head_dim);
  if (!all.empty()) return all;
  all = block.self_attention(rotary_of(position), length).conflicts();
  if (const auto bias = distance_bias_of(position)) {
    const auto conflict = distance_bias_conflict(*bias, block.heads, !causal);
    if (conflict) all.push_back(*conflict);
  }
  return all;
}

template <typename Scalar>
TransformerTrunk<Scalar>::TransformerTrunk(const Builder<Scalar>& at, const TrunkConfig& config)
    : config_(checked_trunk(config)),
      positions_(at / "position", config.position, config.length, config.block.d_model),
      dropout_(at / "dropout", config.block.dropout) {
  const BlockConfig& block = config.block;
  const auto positions = attention_positions(at / "position", config.position, config.length,
                                             block.heads, !config.causal);
  for (Index i = 0; i < config.layers; ++i) {
    blocks_.emplace_back(at / "blocks" / i, block, positions);
  }
  if (block.norm == NormPlacement::kPre) {
    norm_.emplace(at / "norm", block.norm_kind, block.d_model, block.bias, block.norm_eps);
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
  const Mask all = config_.causal ? Mask::causal() & mask : mask;
  Var<Scalar> y = at_positions(x, 0, nullptr);
  for (const TransformerBlock<Scalar>& block : blocks_) y = block.forward(y, all, trace, source);
  return normalized(y);
}

template <typename Scalar>
Var<Scalar> TransformerTrunk<Scalar>::forward_cached(const Var<Scalar>& x,
                                                     DecoderCache<Scalar>& cache) const {
  check_causal(config_.causal);
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
  check_causal(config_.causal);
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
