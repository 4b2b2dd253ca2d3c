#pragma once

#include <optional>

#include "autograd/mask.h"
#include "autograd/ops/attention.h"
#include "autograd/tape.h"
#include "layers/builder.h"
#include "layers/kv_cache.h"
#include "layers/linear.h"

namespace tapehead {

/// The factor on attention scores, by the width of a head.
struct AttentionScale {
  enum class Kind {
    kInvSqrt,  ///< 1/sqrt(d_k) (Vaswani et al. 2017)
    kNone,     ///< 1
    kSqrt,     ///< sqrt(d_k): what dividing by d_k^-0.5 amounts to, a mistake worth studying
    kLearned,  ///< a parameter that starts at 1/sqrt(d_k)
    kNumber
  };
  Kind kind = Kind::kInvSqrt;
  double number = 1.0;  ///< for kNumber

  /// The factor (for kLearned: its start).
  double factor(Index d_k) const;
};

struct AttentionConfig {
  Index query_width = 0, key_width = 0, value_width = 0;  ///< of the inputs
  Index heads = 1;
  Index kv_heads = 1;      ///< 1: multi-query; heads: multi-head; between: grouped-query
  Index d_k = 0, d_v = 0;  ///< of one head
  Index out_width = 0;
  bool bias = true;
  bool out_projection = true;  ///< false: heads are only concatenated
  AttentionScale scale;
  double dropout = 0.0;  ///< of the weights

  /// Self-attention of the usual proportions: d_k = d_v = width / heads, and `kv_heads` as given
  /// (0: as many as heads). Throws ValueError if heads does not divide width or kv_heads heads.
  static AttentionConfig of_width(Index width, Index heads, Index kv_heads = 0);
};

/// Attention with projections: head by head softmax(scale * Q K^T) V, concatenated and projected.
///
///   Q = q W_Q^T + b_Q   K = k W_K^T + b_K   V = v W_V^T + b_V   y = concat(heads) W_O^T + b_O
///
/// q: (batch, n_q, query_width), k: (batch, n_k, key_width), v: (batch, n_k, value_width).
/// Self-attention: q = k = v. Cross-attention: q from a decoder, k = v from an encoder.
/// Parameters: fc_q.weight (heads * d_k, query_width), fc_k.weight (kv_heads * d_k, key_width),
/// fc_v.weight (kv_heads * d_v, value_width), fc_o.weight (out_width, heads * d_v), biases
/// likewise; scale () if learned.
template <typename Scalar>
class MultiHeadAttention {
 public:
  MultiHeadAttention(const Builder<Scalar>& at, const AttentionConfig& config);

  /// Result: (batch, n_q, out_width). With `cache`, q attends to the keys and values in it and then
  /// to those of k and v, which are appended; the batch size must be 1.
  Var<Scalar> forward(const Var<Scalar>& q, const Var<Scalar>& k, const Var<Scalar>& v,
                      const Mask& mask = {}, KvCache<Scalar>* cache = nullptr) const;
  /// The same bits, with the weights (batch, heads, n_q, n_k) of each head beside them.
  AttentionResult<Scalar> forward_with_weights(const Var<Scalar>& q, const Var<Scalar>& k,
                                               const Var<Scalar>& v, const Mask& mask = {}) const;

  /// An empty cache for forward(), with room for `capacity` positions.
  KvCache<Scalar> make_cache(Index capacity) const;

 private:
  struct Projected {
    Var<Scalar> q, k, v;
    AttentionOptions options;
  };
  Projected project(const Var<Scalar>& q, const Var<Scalar>& k, const Var<Scalar>& v,
                    const Mask& mask) const;
  Var<Scalar> finish(const Var<Scalar>& heads) const;

  std::string path_;
  AttentionConfig config_;
  std::uint32_t layer_id_;
  Linear<Scalar> fc_q_, fc_k_, fc_v_;
  std::optional<Linear<Scalar>> fc_o_;
  const Parameter<Scalar>* scale_ = nullptr;
};

/// Attention weights in the documents' order: (batch, heads, n_q, n_k) -> (heads * batch, n_q,
/// n_k), all batch entries of head 0 first.
template <typename Scalar>
Var<Scalar> head_major(const Var<Scalar>& weights);

}  // namespace tapehead
