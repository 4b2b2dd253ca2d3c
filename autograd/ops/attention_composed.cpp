#include "autograd/ops/attention_composed.h"

#include <cmath>

#include "autograd/ops/add.h"
#include "autograd/ops/dropout.h"
#include "autograd/ops/mask_rows.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/permute.h"
#include "autograd/ops/reshape.h"
#include "autograd/ops/scale.h"
#include "autograd/ops/softmax.h"
#include "autograd/ops/tanh.h"

namespace tapehead {

namespace {

// (batch, n, heads * d) -> (batch, kv heads, heads of a group, n, d)
template <typename Scalar>
Var<Scalar> split_heads(const Var<Scalar>& x, Index kv_heads, Index group) {
  const Shape& s = x.shape();
  const Index d = s[2] / (kv_heads * group);
  return permute(reshape(x, {s[0], s[1], kv_heads, group, d}), {0, 2, 3, 1, 4});
}

// The way back.
template <typename Scalar>
Var<Scalar> join_heads(const Var<Scalar>& x) {
  const Shape& s = x.shape();
  return reshape(permute(x, {0, 3, 1, 2, 4}), {s[0], s[3], s[1] * s[2] * s[4]});
}

}  // namespace

template <typename Scalar>
AttentionResult<Scalar> attention_composed(const Var<Scalar>& q, const Var<Scalar>& k,
                                           const Var<Scalar>& v, const AttentionOptions& o) {
  const Index batch = q.shape()[0], n_q = q.shape()[1], n_k = k.shape()[1];
  const Index group = o.heads / o.kv_heads;
  const Tensor<std::uint8_t> visible = o.mask.visible_keys(batch, o.heads, n_q, n_k);
  const Var<Scalar> mask = q.tape().leaf(o.mask.dense<Scalar>(batch, o.heads, n_q, n_k));
  const double d_k = static_cast<double>(q.shape()[2] / o.heads);

  const Var<Scalar> qs = split_heads(q, o.kv_heads, group);
  const Var<Scalar> ks = split_heads(mask_rows(k, visible), o.kv_heads, 1);
  const Var<Scalar> vs = split_heads(mask_rows(v, visible), o.kv_heads, 1);
  Var<Scalar> scores = scale(matmul(qs, ks, false, true), o.scale.value_or(1 / std::sqrt(d_k)));
  if (o.soft_cap != 0) scores = scale(tanh(scale(scores, 1 / o.soft_cap)), o.soft_cap);
  const Var<Scalar> weights = softmax(add(reshape(scores, {batch, o.heads, n_q, n_k}), mask));
  const Var<Scalar> dropped = dropout(weights, o.dropout, o.layer_id);
  const Var<Scalar> mixed = matmul(reshape(dropped, {batch, o.kv_heads, group, n_q, n_k}), vs);
  return {join_heads(mixed), weights};
}

template AttentionResult<float> attention_composed(const Var<float>&, const Var<float>&,
                                                   const Var<float>&, const AttentionOptions&);
template AttentionResult<double> attention_composed(const Var<double>&, const Var<double>&,
                                                    const Var<double>&, const AttentionOptions&);

}  // namespace tapehead
