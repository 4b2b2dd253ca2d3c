#include "layers/attention.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "autograd/check.h"
#include "autograd/error.h"
#include "autograd/ops/mask_rows.h"
#include "autograd/ops/mul.h"
#include "autograd/ops/permute.h"
#include "autograd/ops/reshape.h"

namespace tapehead {

double AttentionScale::factor(Index d_k) const {
  const double root = std::sqrt(static_cast<double>(d_k));
  switch (kind) {
    case Kind::kInvSqrt:
    case Kind::kLearned:
      return 1.0 / root;
    case Kind::kNone:
      return 1.0;
    case Kind::kSqrt:
      return root;
    case Kind::kNumber:
      return number;
  }
  return number;
}

AttentionConfig AttentionConfig::of_width(Index width, Index heads, Index kv_heads) {
  if (kv_heads == 0) kv_heads = heads;
  if (heads < 1 || width < 1 || width % heads != 0) {
    throw ValueError(
        fmt::format("attention: {} heads do not divide the width {}; choose a divisor of the width",
                    heads, width));
  }
  if (kv_heads < 1 || heads % kv_heads != 0) {
    throw ValueError(
        fmt::format("attention: {} kv heads do not divide {} heads; choose a divisor of the heads",
                    kv_heads, heads));
  }
  AttentionConfig c;
  c.query_width = c.key_width = c.value_width = c.out_width = width;
  c.heads = heads;
  c.kv_heads = kv_heads;
  c.d_k = c.d_v = width / heads;
  return c;
}

template <typename Scalar>
MultiHeadAttention<Scalar>::MultiHeadAttention(const Builder<Scalar>& at,
                                               const AttentionConfig& config)
    : path_(at.path()),
      config_(config),
      layer_id_(at.next_layer_id()),
      fc_q_(at / "fc_q", config.query_width, config.heads * config.d_k, config.bias),
      fc_k_(at / "fc_k", config.key_width, config.kv_heads * config.d_k, config.bias),
      fc_v_(at / "fc_v", config.value_width, config.kv_heads * config.d_v, config.bias) {
  if (config.kv_heads < 1 || config.heads % config.kv_heads != 0) {
    throw ValueError(fmt::format("{}: heads {} must be a multiple of kv_heads {}", path_,
                                 config.heads, config.kv_heads));
  }
  if (config.out_projection) {
    fc_o_.emplace(at / "fc_o", config.heads * config.d_v, config.out_width, config.bias,
                  WeightRole::kResidual);
  }
  if (config.scale.kind == AttentionScale::Kind::kLearned) {
    scale_ = &at.constant("scale", {}, config.scale.factor(config.d_k));
  }
}

namespace {

// Keys that no query sees (padding) are zeroed before they are projected: 0 * NaN would otherwise
// reach the gradient of the projection.
template <typename Scalar>
Var<Scalar> without_hidden(const Var<Scalar>& x, const Tensor<std::uint8_t>& visible) {
  const bool all = std::all_of(visible.values().begin(), visible.values().end(),
                               [](std::uint8_t seen) { return seen != 0; });
  return all ? x : mask_rows(x, visible);
}

}  // namespace

template <typename Scalar>
typename MultiHeadAttention<Scalar>::Projected MultiHeadAttention<Scalar>::project(
    const Var<Scalar>& q, const Var<Scalar>& k, const Var<Scalar>& v, const Mask& mask) const {
  check_rank(path_.c_str(), "q", q.shape(), 3);
  check_rank(path_.c_str(), "k", k.shape(), 3);
  check_rank(path_.c_str(), "v", v.shape(), 3);
  Projected p;
  p.options.heads = config_.heads;
  p.options.kv_heads = config_.kv_heads;
  p.options.mask = mask;
  p.options.dropout = config_.dropout;
  p.options.layer_id = layer_id_;
  p.options.scale = scale_ == nullptr ? config_.scale.factor(config_.d_k) : 1.0;

  p.q = fc_q_.forward(q);
  if (scale_ != nullptr) p.q = mul(p.q, q.tape().parameter(*scale_));
  if (mask.may_hide_keys() && k.shape()[0] == q.shape()[0] && k.shape()[1] == v.shape()[1]) {
    mask.check(path_.c_str(), q.shape()[0], config_.heads, q.shape()[1], k.shape()[1]);
    const Tensor<std::uint8_t> visible =
        mask.visible_keys(q.shape()[0], config_.heads, q.shape()[1], k.shape()[1]);
    p.k = fc_k_.forward(without_hidden(k, visible));
    p.v = fc_v_.forward(without_hidden(v, visible));
  } else {
    p.k = fc_k_.forward(k);
    p.v = fc_v_.forward(v);
  }
  return p;
}

template <typename Scalar>
Var<Scalar> MultiHeadAttention<Scalar>::finish(const Var<Scalar>& heads) const {
  return fc_o_ ? fc_o_->forward(heads) : heads;
}

template <typename Scalar>
Var<Scalar> MultiHeadAttention<Scalar>::forward(const Var<Scalar>& q, const Var<Scalar>& k,
                                                const Var<Scalar>& v, const Mask& mask,
                                                KvCache<Scalar>* cache) const {
  const typename Tape<Scalar>::Scope scope(q.tape(), path_);
  Projected p = project(q, k, v, mask);
  if (cache != nullptr) {
    const auto [keys, values] = cache->append(p.k, p.v);
    p.k = keys;
    p.v = values;
  }
  return finish(attention(p.q, p.k, p.v, p.options));
}

template <typename Scalar>
KvCache<Scalar> MultiHeadAttention<Scalar>::make_cache(Index capacity) const {
  return {capacity, config_.kv_heads * config_.d_k, config_.kv_heads * config_.d_v};
}

template <typename Scalar>
AttentionResult<Scalar> MultiHeadAttention<Scalar>::forward_with_weights(const Var<Scalar>& q,
                                                                         const Var<Scalar>& k,
                                                                         const Var<Scalar>& v,
                                                                         const Mask& mask) const {
  const typename Tape<Scalar>::Scope scope(q.tape(), path_);
  const Projected p = project(q, k, v, mask);
  const AttentionResult<Scalar> r = attention_with_weights(p.q, p.k, p.v, p.options);
  return {finish(r.output), r.weights};
}

template <typename Scalar>
Var<Scalar> head_major(const Var<Scalar>& weights) {
  check_rank("head_major", "weights", weights.shape(), 4);
  const Shape& s = weights.shape();
  return reshape(permute(weights, {1, 0, 2, 3}), {s[1] * s[0], s[2], s[3]});
}

template class MultiHeadAttention<float>;
template class MultiHeadAttention<double>;
template Var<float> head_major(const Var<float>&);
template Var<double> head_major(const Var<double>&);

}  // namespace tapehead
