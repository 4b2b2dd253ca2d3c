#pragma once

#include <memory>
#include <optional>
#include <string>

#include "autograd/mask.h"
#include "autograd/ops/attention.h"
#include "autograd/tape.h"
#include "layers/attention_config.h"
#include "layers/builder.h"
#include "layers/distance_bias.h"
#include "layers/kv_cache.h"
#include "layers/linear.h"
#include "layers/model_trace.h"

namespace tapehead {

/// Attention with projections: head by head softmax(scale * Q K^T) V, or with additive scores,
/// concatenated and projected.
///
///   Q = q W_Q^T + b_Q   K = k W_K^T + b_K   V = v W_V^T + b_V   y = concat(heads) W_O^T + b_O
///
/// q: (batch, n_q, query_width), k: (batch, n_k, key_width), v: (batch, n_k, value_width).
/// Self-attention: q = k = v. Cross-attention: q from a decoder, k = v from an encoder.
/// Parameters: fc_q.weight (heads * d_k, query_width), fc_k.weight (kv_heads * d_k, key_width),
/// fc_v.weight (kv_heads * d_v, value_width), fc_o.weight (out_width, heads * d_v), biases
/// likewise; scale () if learned; score.weight (heads, d_k) for additive scores; without fc_k or
/// fc_v where they are shared, and with a gamma () beside each weight if reparametrised.
/// Throws ValueError, naming the sizes, if a combination of options is impossible.
template <typename Scalar>
class MultiHeadAttention {
 public:
  /// `bias`: added to the scores; none if null. The layers of a model share it.
  MultiHeadAttention(const Builder<Scalar>& at, const AttentionConfig& config,
                     std::shared_ptr<const DistanceBias<Scalar>> bias = nullptr);

  /// Result: (batch, n_q, out_width).
  Var<Scalar> forward(const Var<Scalar>& q, const Var<Scalar>& k, const Var<Scalar>& v,
                      const Mask& mask = {}) const;
  /// The same bits, with the weights (batch, heads, n_q, n_k) of each head beside them.
  /// `trace`, if given, says what led to them; its `kind` is left as it is.
  AttentionResult<Scalar> forward_with_weights(const Var<Scalar>& q, const Var<Scalar>& k,
                                               const Var<Scalar>& v, const Mask& mask = {},
                                               AttentionTrace<Scalar>* trace = nullptr) const;

  /// An empty cache with room for `capacity` positions.
  KvCache<Scalar> make_cache(Index capacity) const;
  /// Appends the keys of k (1, n, key_width) and the values of v (1, n, value_width), which stand
  /// at the positions after those in the cache. Throws ShapeError if they do not fit.
  void append(const Var<Scalar>& k, const Var<Scalar>& v, KvCache<Scalar>& cache) const;
  /// What forward() gives for q (1, n_q, query_width) and everything that was appended to the
  /// cache; in self-attention the queries are its last positions. Result: (1, n_q, out_width).
  Var<Scalar> attend(const Var<Scalar>& q, const KvCache<Scalar>& cache,
                     const Mask& mask = {}) const;

 private:
  struct Projected {
    Var<Scalar> q, k, v;
    AttentionOptions options;
  };
  // Queries, keys and values as the op takes them.
  Projected project(const Var<Scalar>& q, const Var<Scalar>& k, const Var<Scalar>& v,
                    const Mask& mask) const;
  AttentionOptions options(const Mask& mask) const;
  // The products with the weights.
  void apply_weights(const Var<Scalar>& q, const Var<Scalar>& k, const Var<Scalar>& v,
                     Projected& p) const;
  // Those of keys and values. `projected`: that of the queries if k is what they are made of.
  void apply_key_weights(const Var<Scalar>& k, const Var<Scalar>& v, const Var<Scalar>& projected,
                         Projected& p) const;
  // Projected queries and keys as the op takes them, of the positions from `first` on; the queries
  // look at `n_k` keys.
  Var<Scalar> queries(const Var<Scalar>& projected, Index first, const Mask& mask, Index n_k) const;
  Var<Scalar> keys(const Var<Scalar>& projected, Index first) const;
  Var<Scalar> attend_to(const Projected& p) const;
  Var<Scalar> rotated(const Var<Scalar>& x, Index first) const;
  Var<Scalar> scaled(const Var<Scalar>& q, const Mask& mask, Index n_k) const;
  Var<Scalar> score_weight(Tape<Scalar>& tape) const;
  Var<Scalar> bias_table(const Projected& p) const;
  Var<Scalar> finish(const Var<Scalar>& heads) const;

  std::string path_;
  AttentionConfig config_;
  std::uint32_t layer_id_;
  Linear<Scalar> fc_q_;
  std::optional<Linear<Scalar>> fc_k_, fc_v_, fc_o_;  // none where shared or left out
  const Parameter<Scalar>* scale_ = nullptr;
  const Parameter<Scalar>* score_weight_ = nullptr;
  std::shared_ptr<const DistanceBias<Scalar>> bias_;
  Tensor<Scalar> rope_table_;  // of the expected positions
};

/// Attention weights in the documents' order: (batch, heads, n_q, n_k) -> (heads * batch, n_q,
/// n_k), all batch entries of head 0 first.
template <typename Scalar>
Var<Scalar> head_major(const Var<Scalar>& weights);

}  // namespace tapehead
