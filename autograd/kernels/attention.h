#pragma once

#include "autograd/kernels/attention_mask.h"
#include "autograd/kernels/dropout.h"
#include "base/types.h"

namespace tapehead::kernels {

/// Dropout of attention weights; `probability` 0 is none.
struct WeightDropout {
  double probability = 0;
  DropoutKey key;
  Index first_row = 0;  ///< of this batch in the whole one
};

/// One attention problem on raw memory. The heads of a position stand side by side:
///
///   q (batch, n_q, heads * d_k)         k (batch, n_k, kv_heads * d_k)
///   out (batch, n_q, heads * d_v)       v (batch, n_k, kv_heads * d_v)
///   weights (batch, heads, n_q, n_k)
///
/// Query head h uses key/value head h / (heads / kv_heads). The forward steps, which the backward
/// passes walk in reverse:
///
///   1  scores  = scale * q k^T           dot products; or, additive, with a score weight w a head:
///      scores  = scale * sum_c w_c tanh(q_ic + k_jc)
///      scores  = soft_cap * tanh(scores / soft_cap)      if there is a cap
///   2  masked  = mask(scores + bias of the distance j - i)
///   3  weights = softmax(masked)         a row that sees no key is zero
///   4  out     = dropout(weights) v
///
/// The bias is a table (heads, n_q + n_k - 1), not an array of n_q x n_k numbers: key j has for
/// query i the entry j - i + n_q - 1, so the row of a query is a slice of it.
///
/// Queries are taken in blocks, and keys that no query of a block sees are left out, which halves
/// the work of causal attention. Where the weights are not wanted, a block's stand in scratch
/// memory and the backward pass computes them again by the same steps: to the same bits, in memory
/// that grows linearly with n_k (the idea of Rabe and Staats 2021, and of FlashAttention, Dao et
/// al. 2022).
template <typename Scalar>
struct Attention {
  Index batch = 0, heads = 1, kv_heads = 1, n_q = 0, n_k = 0, d_k = 0, d_v = 0;
  double scale = 1;
  double soft_cap = 0;  ///< 0: none
  AttentionMask mask;
  const Scalar* score_weight = nullptr;   ///< (heads, d_k); null: dot products
  const Scalar* distance_bias = nullptr;  ///< (heads, distances()); null: none
  const Scalar* q = nullptr;
  const Scalar* k = nullptr;
  const Scalar* v = nullptr;
  WeightDropout dropout;
  int threads = 0;

  /// Distances that a key can have from a query.
  Index distances() const { return n_q + n_k - 1; }
  /// Numbers of scratch memory that each of the passes needs.
  Index scratch_size() const;
};

/// Where the gradients of the scores' operands go. Those of the score weight and of the distance
/// bias, (batch, heads, ...), are those of each batch entry, so that no two threads add to one
/// number; they are null where they are not wanted.
template <typename Scalar>
struct ScoreGradients {
  Scalar* dq = nullptr;
  Scalar* dk = nullptr;
  Scalar* d_score_weight = nullptr;
  Scalar* d_distance_bias = nullptr;
};

/// Steps 1 and 2: fills `scores` (batch, heads, n_q, n_k), -inf where a key is not seen.
template <typename Scalar>
void attention_masked_scores(const Attention<Scalar>& a, Scalar* scratch, Scalar* scores);

/// Steps 1 to 4: fills `weights` (before dropout), unless it is null, and `out`.
template <typename Scalar>
void attention_forward(const Attention<Scalar>& a, Scalar* weights, Scalar* scratch, Scalar* out);

/// Steps 4 to 1: from d_out to the gradients, which are overwritten. `weights` is null if they were
/// not kept.
template <typename Scalar>
void attention_backward(const Attention<Scalar>& a, const Scalar* weights, const Scalar* d_out,
                        Scalar* scratch, const ScoreGradients<Scalar>& d, Scalar* dv);

/// Step 4 alone: from d_out to d_weights and dv.
template <typename Scalar>
void attention_values_backward(const Attention<Scalar>& a, const Scalar* weights,
                               const Scalar* d_out, Scalar* scratch, Scalar* d_weights, Scalar* dv);

/// Steps 3 to 1 alone: from d_weights to the gradients of the scores' operands. Same operations in
/// the same order as attention_backward(), hence the same bits.
template <typename Scalar>
void attention_scores_backward(const Attention<Scalar>& a, const Scalar* weights,
                               const Scalar* d_weights, Scalar* scratch,
                               const ScoreGradients<Scalar>& d);

}  // namespace tapehead::kernels
