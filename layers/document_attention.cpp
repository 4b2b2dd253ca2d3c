#include "layers/document_attention.h"

#include "autograd/check.h"
#include "autograd/ops/reshape.h"

namespace tapehead {

namespace {

AttentionConfig document_config(Index num_head, Index kv_heads, Index dimension_k,
                                Index dimension_v, Index d_k, Index d_v, Index d_o) {
  AttentionConfig c;
  c.query_width = c.key_width = dimension_k;
  c.value_width = dimension_v;
  c.heads = num_head;
  c.kv_heads = kv_heads;
  c.d_k = d_k;
  c.d_v = d_v;
  c.out_width = d_o;
  return c;
}

AttentionConfig single_head_config(Index embed_dim, bool bias) {
  AttentionConfig c = AttentionConfig::self_attention(embed_dim, 1);
  c.bias = bias;
  c.out_projection = false;
  return c;
}

template <typename Scalar>
WeightsAndOutput<Scalar> run_head_major(const MultiHeadAttention<Scalar>& layer,
                                        const Var<Scalar>& q, const Var<Scalar>& k,
                                        const Var<Scalar>& v, const Mask& mask) {
  const AttentionResult<Scalar> r = layer.forward_with_weights(q, k, v, mask);
  return {head_major(r.weights), r.output};
}

}  // namespace

template <typename Scalar, KeyHeads key_heads>
DocumentAttention<Scalar, key_heads>::DocumentAttention(const Builder<Scalar>& at, Index num_head,
                                                        Index dimension_k, Index dimension_v,
                                                        Index d_k, Index d_v, Index d_o)
    : attention_(at, document_config(num_head, key_heads == KeyHeads::kOneForAll ? 1 : num_head,
                                     dimension_k, dimension_v, d_k, d_v, d_o)) {}

template <typename Scalar, KeyHeads key_heads>
WeightsAndOutput<Scalar> DocumentAttention<Scalar, key_heads>::forward(const Var<Scalar>& q,
                                                                       const Var<Scalar>& k,
                                                                       const Var<Scalar>& v,
                                                                       const Mask& mask) const {
  return run_head_major(attention_, q, k, v, mask);
}

template <typename Scalar, KeyHeads key_heads>
WeightsAndOutput<Scalar> DocumentAttention<Scalar, key_heads>::forward(
    const Var<Scalar>& q, const Var<Scalar>& k, const Var<Scalar>& v,
    const Tensor<Scalar>& mask) const {
  // The documents' mask has no dimension for heads.
  check_rank(key_heads == KeyHeads::kOneForAll ? "MQA" : "MHA", "mask", mask.shape(), 3);
  return forward(q, k, v, Mask::additive(mask));
}

template <typename Scalar>
SingleHeadSelfAttention<Scalar>::SingleHeadSelfAttention(const Builder<Scalar>& at, Index embed_dim,
                                                         bool bias)
    : attention_(at, single_head_config(embed_dim, bias)) {}

template <typename Scalar>
WeightsAndOutput<Scalar> SingleHeadSelfAttention<Scalar>::forward(const Var<Scalar>& x,
                                                                  const Mask& mask) const {
  const AttentionResult<Scalar> r = attention_.forward_with_weights(x, x, x, mask);
  const Shape& s = r.weights.shape();
  return {reshape(r.weights, {s[0], s[2], s[3]}), r.output};
}

template <typename Scalar>
MultiHeadSelfAttention<Scalar>::MultiHeadSelfAttention(const Builder<Scalar>& at, Index embed_dim,
                                                       Index num_heads)
    : attention_(at, AttentionConfig::self_attention(embed_dim, num_heads)) {}

template <typename Scalar>
WeightsAndOutput<Scalar> MultiHeadSelfAttention<Scalar>::forward(const Var<Scalar>& x,
                                                                 const Mask& mask) const {
  const AttentionResult<Scalar> r = attention_.forward_with_weights(x, x, x, mask);
  return {r.weights, r.output};
}

template class DocumentAttention<float, KeyHeads::kOnePerQueryHead>;
template class DocumentAttention<double, KeyHeads::kOnePerQueryHead>;
template class DocumentAttention<float, KeyHeads::kOneForAll>;
template class DocumentAttention<double, KeyHeads::kOneForAll>;
template class SingleHeadSelfAttention<float>;
template class SingleHeadSelfAttention<double>;
template class MultiHeadSelfAttention<float>;
template class MultiHeadSelfAttention<double>;

}  // namespace tapehead
