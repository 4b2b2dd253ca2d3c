#include "autograd/ops/attention.h"

#include "autograd/ops/attention_pass.h"

namespace tapehead {

template <typename Scalar>
Var<Scalar> attention(const Var<Scalar>& q, const Var<Scalar>& k, const Var<Scalar>& v,
                      const AttentionOptions& options, const Var<Scalar>& distance_bias) {
  return detail::record_attention<Scalar>(Op::attention, {q, k, v, {}, distance_bias}, options);
}

template <typename Scalar>
AttentionResult<Scalar> attention_with_weights(const Var<Scalar>& q, const Var<Scalar>& k,
                                               const Var<Scalar>& v,
                                               const AttentionOptions& options,
                                               const Var<Scalar>& distance_bias) {
  return detail::record_attention_with_weights<Scalar>(Op::attention, {q, k, v, {}, distance_bias},
                                                       options);
}

template <typename Scalar>
Tensor<Scalar> attention_scores(const Var<Scalar>& q, const Var<Scalar>& k,
                                const Var<Scalar>& score_weight, const AttentionOptions& options,
                                const Var<Scalar>& distance_bias) {
  const Op op = score_weight.defined() ? Op::additive_attention : Op::attention;
  return detail::masked_scores<Scalar>(op, {q, k, {}, score_weight, distance_bias}, options);
}

template Var<float> attention(const Var<float>&, const Var<float>&, const Var<float>&,
                              const AttentionOptions&, const Var<float>&);
template Var<double> attention(const Var<double>&, const Var<double>&, const Var<double>&,
                               const AttentionOptions&, const Var<double>&);
template AttentionResult<float> attention_with_weights(const Var<float>&, const Var<float>&,
                                                       const Var<float>&, const AttentionOptions&,
                                                       const Var<float>&);
template AttentionResult<double> attention_with_weights(const Var<double>&, const Var<double>&,
                                                        const Var<double>&, const AttentionOptions&,
                                                        const Var<double>&);
template Tensor<float> attention_scores(const Var<float>&, const Var<float>&, const Var<float>&,
                                        const AttentionOptions&, const Var<float>&);
template Tensor<double> attention_scores(const Var<double>&, const Var<double>&, const Var<double>&,
                                         const AttentionOptions&, const Var<double>&);

}  // namespace tapehead
