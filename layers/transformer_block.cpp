#include "layers/transformer_block.h"

#include <utility>

#include "autograd/ops/add.h"

namespace tapehead {

namespace {

AttentionConfig attention_config(const BlockConfig& block) {
  AttentionConfig c = AttentionConfig::of_width(block.width, block.heads, block.kv_heads);
  c.bias = block.bias;
  c.scale = block.scale;
  c.traits = block.attention;
  c.dropout = block.dropout;
  return c;
}

}  // namespace

template <typename Scalar>
TransformerBlock<Scalar>::TransformerBlock(const Builder<Scalar>& at, const BlockConfig& config,
                                           std::shared_ptr<const DistanceBias<Scalar>> bias)
    : pre_norm_(config.pre_norm),
      norm1_(at / "norm1", config.norm, config.width, config.bias, config.norm_eps),
      attention_(at / "attention", attention_config(config), std::move(bias)),
      dropout1_(at / "dropout1", config.dropout),
      norm2_(at / "norm2", config.norm, config.width, config.bias, config.norm_eps),
      feed_forward_(at / "feed_forward", config.width, config.hidden, config.activation,
                    config.bias, config.dropout),
      dropout2_(at / "dropout2", config.dropout) {}

template <typename Scalar>
template <typename Attend>
Var<Scalar> TransformerBlock<Scalar>::residuals(const Var<Scalar>& x, const Attend& attend) const {
  if (pre_norm_) {
    const Var<Scalar> h = add(x, dropout1_.forward(attend(norm1_.forward(x))));
    return add(h, dropout2_.forward(feed_forward_.forward(norm2_.forward(h))));
  }
  const Var<Scalar> h = norm1_.forward(add(x, dropout1_.forward(attend(x))));
  return norm2_.forward(add(h, dropout2_.forward(feed_forward_.forward(h))));
}

template <typename Scalar>
Var<Scalar> TransformerBlock<Scalar>::forward(const Var<Scalar>& x, const Mask& mask,
                                              AttentionMaps<Scalar>* maps) const {
  return residuals(x, [&](const Var<Scalar>& z) {
    if (maps == nullptr) return attention_.forward(z, z, z, mask);
    const AttentionResult<Scalar> r = attention_.forward_with_weights(z, z, z, mask);
    maps->push_back(r.weights);
    return r.output;
  });
}

template <typename Scalar>
Var<Scalar> TransformerBlock<Scalar>::forward_cached(const Var<Scalar>& x,
                                                     KvCache<Scalar>& cache) const {
  return residuals(
      x, [&](const Var<Scalar>& z) { return attention_.forward(z, z, z, Mask::causal(), &cache); });
}

template class TransformerBlock<float>;
template class TransformerBlock<double>;

}  // namespace tapehead
