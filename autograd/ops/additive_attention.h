#pragma once

#include "autograd/ops/attention.h"

namespace tapehead {

/// Additive attention (Bahdanau et al. 2015, appendix A.1.2): a small network with one hidden layer
/// scores each pair of a query and a key, all heads at once.
///
///   S_ij = scale * sum_c w_c T_ijc    T_ijc = tanh(q_ic + k_jc)    P = softmax(mask(S + B))
///   O = P V
///
///   dV, dP, dS and the gradient of the bias as in attention(); with g_ij = scale * dS_ij:
///   dw_c = sum_ij g_ij T_ijc          dq_ic = sum_j g_ij w_c (1 - T_ijc^2)
///   dk_jc = sum_i g_ij w_c (1 - T_ijc^2)      (summed over the query heads of a kv head)
///
/// Shapes, heads, masks, distance_bias, dropout and soft cap as in attention(), with the same
/// guarantees; score_weight (heads, d_k): w of each query head. Multi-query and grouped-query
/// attention share keys and values as they do there. No array of n_q * n_k * d_k numbers is kept:
/// T is computed again for the backward pass.
template <typename Scalar>
Var<Scalar> additive_attention(const Var<Scalar>& q, const Var<Scalar>& k, const Var<Scalar>& v,
                               const Var<Scalar>& score_weight, const AttentionOptions& options,
                               const Var<Scalar>& distance_bias = {});

/// The same, with the weights P as a second result through which gradients flow too. Output and
/// gradients have the same bits as those of additive_attention().
template <typename Scalar>
AttentionResult<Scalar> additive_attention_with_weights(const Var<Scalar>& q, const Var<Scalar>& k,
                                                        const Var<Scalar>& v,
                                                        const Var<Scalar>& score_weight,
                                                        const AttentionOptions& options,
                                                        const Var<Scalar>& distance_bias = {});

}  // namespace tapehead
