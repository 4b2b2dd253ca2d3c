#include "layers/transformer_block.h"

#include "autograd/ops/add.h"

namespace tapehead {

namespace {

AttentionConfig attention_config(const BlockConfig& block) {
  AttentionConfig c = AttentionConfig::of_width(block.width, block.heads, block.kv_heads);
  c.bias = block.bias;
  c.scale = block.scale;
  c.dropout = block.dropout;
  return c;
}

}  // namespace

template <typename Scalar>
TransformerBlock<Scalar>::TransformerBlock(const Builder<Scalar>& at, const BlockConfig& config)
    : pre_norm_(config.pre_norm),
      norm1_(at / "norm1", config.norm, config.width, config.bias, config.norm_eps),
      attention_(at / "attention", attention_config(config)),
      dropout1_(at / "dropout1", config.dropout),
      norm2_(at / "norm2", config.norm, config.width, config.bias, config.norm_eps),
      feed_forward_(at / "feed_forward", config.width, config.hidden, config.activation,
                    config.bias, config.dropout),
      dropout2_(at / "dropout2", config.dropout) {}

template <typename Scalar>
Var<Scalar> TransformerBlock<Scalar>::attend(const Var<Scalar>& x, const Mask& mask,
                                             AttentionMaps<Scalar>* maps) const {
  if (maps == nullptr) return dropout1_.forward(attention_.forward(x, x, x, mask));
  const AttentionResult<Scalar> r = attention_.forward_with_weights(x, x, x, mask);
  maps->push_back(r.weights);
  return dropout1_.forward(r.output);
}

template <typename Scalar>
Var<Scalar> TransformerBlock<Scalar>::forward(const Var<Scalar>& x, const Mask& mask,
                                              AttentionMaps<Scalar>* maps) const {
  if (pre_norm_) {
    const Var<Scalar> h = add(x, attend(norm1_.forward(x), mask, maps));
    return add(h, dropout2_.forward(feed_forward_.forward(norm2_.forward(h))));
  }
  const Var<Scalar> h = norm1_.forward(add(x, attend(x, mask, maps)));
  return norm2_.forward(add(h, dropout2_.forward(feed_forward_.forward(h))));
}

template class TransformerBlock<float>;
template class TransformerBlock<double>;

}  // namespace tapehead
