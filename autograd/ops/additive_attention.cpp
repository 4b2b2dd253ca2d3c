#include "autograd/ops/additive_attention.h"

#include "autograd/ops/attention_pass.h"

namespace tapehead {

template <typename Scalar>
Var<Scalar> additive_attention(const Var<Scalar>& q, const Var<Scalar>& k, const Var<Scalar>& v,
                               const Var<Scalar>& score_weight, const AttentionOptions& options,
                               const Var<Scalar>& distance_bias) {
  return detail::record_attention<Scalar>(Op::additive_attention,
                                          {q, k, v, score_weight, distance_bias}, options);
}

template <typename Scalar>
AttentionResult<Scalar> additive_attention_with_weights(const Var<Scalar>& q, const Var<Scalar>& k,
                                                        const Var<Scalar>& v,
                                                        const Var<Scalar>& score_weight,
                                                        const AttentionOptions& options,
                                                        const Var<Scalar>& distance_bias) {
  return detail::record_attention_with_weights<Scalar>(
      Op::additive_attention, {q, k, v, score_weight, distance_bias}, options);
}

template Var<float> additive_attention(const Var<float>&, const Var<float>&, const Var<float>&,
                                       const Var<float>&, const AttentionOptions&,
                                       const Var<float>&);
template Var<double> additive_attention(const Var<double>&, const Var<double>&, const Var<double>&,
                                        const Var<double>&, const AttentionOptions&,
                                        const Var<double>&);
template AttentionResult<float> additive_attention_with_weights(
    const Var<float>&, const Var<float>&, const Var<float>&, const Var<float>&,
    const AttentionOptions&, const Var<float>&);
template AttentionResult<double> additive_attention_with_weights(
    const Var<double>&, const Var<double>&, const Var<double>&, const Var<double>&,
    const AttentionOptions&, const Var<double>&);

}  // namespace tapehead
