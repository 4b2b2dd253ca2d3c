#pragma once

#include <optional>

#include "autograd/mask.h"
#include "autograd/tape.h"

namespace tapehead {

/// Measured (docs/performance.md): reading saved weights is faster than computing them again, at
/// any length; but beyond this one they would cost more memory than the rest of a layer.
inline constexpr Index kMostKeysWithSavedWeights = 256;

struct AttentionOptions {
  Index heads = 1;
  /// Key/value heads; must divide `heads`. 1 is multi-query, `heads` is multi-head attention. Query
  /// head h uses key/value head h / (heads / kv_heads).
  Index kv_heads = 1;
  /// Factor on the scores; if absent, 1/sqrt(d_k) for dot products and 1 for additive scores.
  std::optional<double> scale;
  /// c > 0 squashes the scaled scores to c tanh(s / c), before bias and mask (Gemma Team 2024,
  /// section 2); 0 leaves them.
  double soft_cap = 0;
  Mask mask;
  /// Probability with which a weight is zeroed in training (the others grow by 1/(1 - p)).
  double dropout = 0;
  /// Names the dropout's random numbers among those of other layers.
  std::uint32_t layer_id = 0;
  /// Keep P for the backward pass, or compute it again there, to the same bits, in memory that
  /// grows linearly with the length. Absent: kept for up to kMostKeysWithSavedWeights keys.
  std::optional<bool> keep_weights;
  /// Throw ValueError, naming batch entry, head and query, if a query may attend to no key.
  bool refuse_masked_rows = false;
};

/// Scaled dot-product attention (Vaswani et al. 2017, equation 1), all heads at once.
///
///   S = scale * Q K^T     P = softmax(mask(S + B))     O = P V
///
///   dV = P^T dO           dP = dO V^T
///   dS_ij = P_ij (dP_ij - sum_j P_ij dP_ij)
///   dQ = scale * dS K     dK = scale * dS^T Q      (summed over the query heads of a kv head)
///   db_r = sum of dS_ij over i, j with j - i + n_q - 1 = r
///
/// With a soft cap c, S is c tanh(scale * Q K^T / c), and dS gains the factor 1 - (S / c)^2 on its
/// way to dQ and dK.
///
/// q: (batch, n_q, heads * d_k), k: (batch, n_k, kv_heads * d_k), v: (batch, n_k, kv_heads * d_v).
/// distance_bias: for each head, what is added to the score of each distance, (heads, n_q + n_k -
/// 1), so that memory stays linear in the length: B_hij = b[h, j - i + n_q - 1]; -inf, or
/// the lowest finite number, forbids; undefined: none.
/// Result: (batch, n_q, heads * d_v). A query that may attend to no key gets zeros, and its
/// gradients are zero. Keys and values that no query may see reach neither result nor gradients,
/// NaN included. With dropout, P is multiplied by its mask before V is mixed.
/// Throws ShapeError if shapes, heads or mask do not fit, ValueError for a soft cap or a dropout
/// out of range. Keeps for backward: P, or nothing (see AttentionOptions::keep_weights).
template <typename Scalar>
Var<Scalar> attention(const Var<Scalar>& q, const Var<Scalar>& k, const Var<Scalar>& v,
                      const AttentionOptions& options, const Var<Scalar>& distance_bias = {});

template <typename Scalar>
struct AttentionResult {
  Var<Scalar> output;   ///< (batch, n_q, heads * d_v)
  Var<Scalar> weights;  ///< (batch, heads, n_q, n_k), before dropout; each row sums to 1 or is zero
};

/// The same, with the weights P as a second result through which gradients flow too. Output and
/// gradients have the same bits as those of attention().
template <typename Scalar>
AttentionResult<Scalar> attention_with_weights(const Var<Scalar>& q, const Var<Scalar>& k,
                                               const Var<Scalar>& v,
                                               const AttentionOptions& options,
                                               const Var<Scalar>& distance_bias = {});

/// What softmax is given, for whoever wants to look at it; nothing is recorded and no gradient
/// flows: (batch, heads, n_q, n_k), scaled, capped, biased, and -inf where a query may not attend.
/// P = softmax of it, row by row.
///
/// `score_weight` (heads, d_k): that of additive_attention(); undefined for dot products. Shapes
/// and errors as in attention().
template <typename Scalar>
Tensor<Scalar> attention_scores(const Var<Scalar>& q, const Var<Scalar>& k,
                                const Var<Scalar>& score_weight, const AttentionOptions& options,
                                const Var<Scalar>& distance_bias = {});

}  // namespace tapehead
