#pragma once

#include "autograd/ops/attention.h"

// What the attention ops share: their inputs are checked, run and recorded in one place.

namespace tapehead::detail {

/// The inputs of an attention op. Without a score weight, scores are dot products; without a
/// distance bias, none is added.
template <typename Scalar>
struct AttentionInputs {
  Var<Scalar> q, k, v;
  Var<Scalar> score_weight;   // (heads, d_k)
  Var<Scalar> distance_bias;  // (heads, n_q + n_k - 1)
};

/// What softmax is given: (batch, heads, n_q, n_k). Not recorded; `v` may be undefined.
template <typename Scalar>
Tensor<Scalar> masked_scores(Op op, const AttentionInputs<Scalar>& in,
                             const AttentionOptions& options);

/// Computes attention and records it as `op`, in whose name errors speak.
template <typename Scalar>
Var<Scalar> record_attention(Op op, const AttentionInputs<Scalar>& in,
                             const AttentionOptions& options);

/// The same, with the weights as a second result.
template <typename Scalar>
AttentionResult<Scalar> record_attention_with_weights(Op op, const AttentionInputs<Scalar>& in,
                                                      const AttentionOptions& options);

}  // namespace tapehead::detail
