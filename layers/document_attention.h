#pragma once

#include "layers/attention.h"

namespace tapehead {

// The attention layers as the teaching documents define them: their constructors, their forward,
// their shapes. All are MultiHeadAttention with other sizes.

/// What the documents' forward returns.
template <typename Scalar>
struct WeightsAndOutput {
  Var<Scalar> attention;
  Var<Scalar> output;
};

enum class KeyHeads {
  kOnePerQueryHead,
  kOneForAll,
};

/// The documents' attention with projections: constructor and forward of MHA and MQA.
/// forward(q, k, v, mask) gives the weights (num_head * batch, n_q, n_k), all batch entries of head
/// 0 first, and the output (batch, n_q, d_o).
///
/// q: (batch, n_q, dimension_k), k: (batch, n_k, dimension_k), v: (batch, n_k, dimension_v).
/// mask: a Mask, or the documents' numbers (batch, n_q, n_k): 0 or -inf, added to the scores.
/// Parameters, with kv_heads = num_head or 1: fc_q.weight (num_head * d_k, dimension_k),
/// fc_k.weight (kv_heads * d_k, dimension_k), fc_v.weight (kv_heads * d_v, dimension_v),
/// fc_o.weight (d_o, num_head * d_v), and their biases.
template <typename Scalar, KeyHeads key_heads>
class DocumentAttention {
 public:
  DocumentAttention(const Builder<Scalar>& at, Index num_head, Index dimension_k, Index dimension_v,
                    Index d_k, Index d_v, Index d_o);
  WeightsAndOutput<Scalar> forward(const Var<Scalar>& q, const Var<Scalar>& k, const Var<Scalar>& v,
                                   const Mask& mask) const;
  WeightsAndOutput<Scalar> forward(const Var<Scalar>& q, const Var<Scalar>& k, const Var<Scalar>& v,
                                   const Tensor<Scalar>& mask) const;

 private:
  MultiHeadAttention<Scalar> attention_;
};

/// Multi-head attention (Vaswani et al. 2017).
template <typename Scalar>
using MHA = DocumentAttention<Scalar, KeyHeads::kOnePerQueryHead>;
/// Multi-query attention (Shazeer 2019): one key/value head that all query heads share.
template <typename Scalar>
using MQA = DocumentAttention<Scalar, KeyHeads::kOneForAll>;

/// Single-head scaled dot-product self-attention without output projection.
/// x: (batch, n, embed_dim) -> output (batch, n, embed_dim), weights (batch, n, n).
/// Parameters: fc_q, fc_k, fc_v .weight (embed_dim, embed_dim), and .bias if asked for.
template <typename Scalar>
class SingleHeadSelfAttention {
 public:
  SingleHeadSelfAttention(const Builder<Scalar>& at, Index embed_dim, bool bias = true);
  WeightsAndOutput<Scalar> forward(const Var<Scalar>& x, const Mask& mask = {}) const;

 private:
  MultiHeadAttention<Scalar> attention_;
};

/// Multi-head self-attention. x: (batch, n, embed_dim) -> output (batch, n, embed_dim), weights
/// (batch, num_heads, n, n). Throws ValueError if num_heads does not divide embed_dim.
/// Parameters: fc_q, fc_k, fc_v, fc_o: .weight (embed_dim, embed_dim) and .bias.
template <typename Scalar>
class MultiHeadSelfAttention {
 public:
  MultiHeadSelfAttention(const Builder<Scalar>& at, Index embed_dim, Index num_heads);
  WeightsAndOutput<Scalar> forward(const Var<Scalar>& x, const Mask& mask = {}) const;

 private:
  MultiHeadAttention<Scalar> attention_;
};

}  // namespace tapehead
