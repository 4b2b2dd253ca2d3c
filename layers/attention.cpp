#include "layers/attention.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "autograd/check.h"
#include "autograd/ops/additive_attention.h"
#include "autograd/ops/mask_rows.h"
#include "autograd/ops/mul.h"
#include "autograd/ops/packed_linear.h"
#include "autograd/ops/permute.h"
#include "autograd/ops/reshape.h"
#include "autograd/ops/rms_norm.h"
#include "autograd/ops/rope.h"

namespace tapehead {

namespace {

const AttentionConfig& checked_attention(const AttentionConfig& config, const std::string& path) {
  config.check(path);
  return config;
}

bool has_learned_scale(const AttentionConfig& c) {
  return c.scale.kind == AttentionScale::Kind::kLearned ||
         (c.traits.qk_norm && c.scale.kind != AttentionScale::Kind::kNumber);
}

double start_of_scale(const AttentionConfig& c) {
  if (!c.traits.qk_norm) return c.scale.factor(c.d_k);
  const auto length = static_cast<double>(std::max(c.length, Index{2}));
  return std::log2(length * length - length);
}

}  // namespace

template <typename Scalar>
MultiHeadAttention<Scalar>::MultiHeadAttention(const Builder<Scalar>& at,
                                               const AttentionConfig& config,
                                               std::shared_ptr<const DistanceBias<Scalar>> bias)
    : path_(at.path()),
      config_(checked_attention(config, path_)),
      layer_id_(at.next_layer_id()),
      fc_q_(at / "fc_q", config.query_width, config.heads * config.d_k, config.bias,
            WeightRole::kQueryOrKey, config.traits.sigma_reparam),
      bias_(std::move(bias)) {
  const AttentionTraits& t = config.traits;
  if (t.share == SharedProjections::kNone || t.share == SharedProjections::kKV) {
    fc_k_.emplace(at / "fc_k", config.key_width, config.kv_heads * config.d_k, config.bias,
                  WeightRole::kQueryOrKey, t.sigma_reparam);
  }
  if (config.value_projection &&
      (t.share == SharedProjections::kNone || t.share == SharedProjections::kQK)) {
    fc_v_.emplace(at / "fc_v", config.value_width, config.kv_heads * config.d_v, config.bias,
                  WeightRole::kPlain, t.sigma_reparam);
  }
  if (config.out_projection) {
    fc_o_.emplace(at / "fc_o", config.heads * config.d_v, config.out_width, config.bias,
                  WeightRole::kResidual, t.sigma_reparam);
  }
  if (has_learned_scale(config)) scale_ = &at.constant("scale", {}, start_of_scale(config));
  if (t.scores == AttentionScores::kAdditive) {
    score_weight_ = &(at / "score").linear_weight("weight", config.heads, config.d_k);
  }
  if (config.rotary != Rotary::kNone) {
    rope_table_ = rope_table<Scalar>(at.shapes_only() ? 0 : config.length, config.d_k);
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

// Divides each head's vector by its length.
template <typename Scalar>
Var<Scalar> unit_heads(const Var<Scalar>& x, Index heads) {
  const Shape shape = x.shape();
  const Index d = shape[2] / heads;
  Tensor<Scalar> weight = x.tape().allocate({d});
  weight.fill(static_cast<Scalar>(1 / std::sqrt(static_cast<double>(d))));
  const Var<Scalar> rows = reshape(x, {shape[0], shape[1], heads, d});
  return reshape(rms_norm(rows, x.tape().leaf(weight)), shape);
}

// log(n) for each query, n being the number of keys that causality and lengths let it see, as
// (batch, n_q, 1). No key counts as one, since log(0) would make NaN of zeros.
template <typename Scalar>
Var<Scalar> log_lengths(const Var<Scalar>& q, const Mask& mask, Index n_k) {
  const Index batch = q.dim(0), n_q = q.dim(1);
  Tensor<Scalar> logs = q.tape().allocate({batch, n_q, 1});
  const kernels::AttentionMask view = mask.view();
  for (Index row = 0; row < batch * n_q; ++row) {
    const Index n = view.visible_end(row / n_q, row % n_q, n_q, n_k);
    logs[row] = static_cast<Scalar>(std::log(static_cast<double>(std::max(n, Index{1}))));
  }
  return q.tape().leaf(logs);
}

}  // namespace

template <typename Scalar>
void MultiHeadAttention<Scalar>::apply_weights(const Var<Scalar>& q, const Var<Scalar>& k,
                                               const Var<Scalar>& v, Projected& p) const {
  if (fc_k_ && fc_v_ && q.same_as(k) && k.same_as(v)) {
    Tape<Scalar>& tape = q.tape();
    const auto y = packed_linear<Scalar, 3>(q, {fc_q_.on(tape), fc_k_->on(tape), fc_v_->on(tape)});
    std::tie(p.q, p.k, p.v) = std::tie(y[0], y[1], y[2]);
    return;
  }
  p.q = fc_q_.forward(q);
  apply_key_weights(k, v, k.same_as(q) ? p.q : Var<Scalar>(), p);
}

template <typename Scalar>
void MultiHeadAttention<Scalar>::apply_key_weights(const Var<Scalar>& k, const Var<Scalar>& v,
                                                   const Var<Scalar>& projected,
                                                   Projected& p) const {
  if (fc_k_ && fc_v_ && k.same_as(v)) {
    Tape<Scalar>& tape = k.tape();
    const auto y = packed_linear<Scalar, 2>(k, {fc_k_->on(tape), fc_v_->on(tape)});
    std::tie(p.k, p.v) = std::tie(y[0], y[1]);
    return;
  }
  const Linear<Scalar>& of_keys = fc_k_ ? *fc_k_ : fc_q_;
  const Linear<Scalar>& of_values = fc_v_ ? *fc_v_ : of_keys;
  p.k = !fc_k_ && projected.defined() ? projected : of_keys.forward(k);
  if (!config_.value_projection) {
    p.v = v;
  } else {
    p.v = !fc_v_ && v.same_as(k) ? p.k : of_values.forward(v);
  }
}

template <typename Scalar>
Var<Scalar> MultiHeadAttention<Scalar>::rotated(const Var<Scalar>& x, Index first) const {
  if (config_.rotary == Rotary::kNone) return x;
  const Index n = x.dim(1), d = config_.d_k;
  const bool known = first >= 0 && first + n <= rope_table_.dim(0);
  const Tensor<Scalar> table =
      known ? rope_table_.view(first * d, {n, d}) : rope_table<Scalar>(n, d, first);
  const bool halves = config_.rotary == Rotary::kHalves;
  return rope(x, table, halves ? RopePairs::kHalves : RopePairs::kNeighbours);
}

template <typename Scalar>
Var<Scalar> MultiHeadAttention<Scalar>::scaled(const Var<Scalar>& q, const Mask& mask,
                                               Index n_k) const {
  Var<Scalar> x = q;
  if (scale_ != nullptr && score_weight_ == nullptr) x = mul(x, x.tape().parameter(*scale_));
  if (config_.scale.kind == AttentionScale::Kind::kLogLength) {
    x = mul(x, log_lengths(x, mask, n_k));
  }
  return x;
}

template <typename Scalar>
AttentionOptions MultiHeadAttention<Scalar>::options(const Mask& mask) const {
  AttentionOptions o;
  o.heads = config_.heads;
  o.kv_heads = config_.kv_heads;
  o.mask = mask;
  o.dropout = config_.dropout;
  o.layer_id = layer_id_;
  o.scale = scale_ == nullptr ? config_.scale.factor(config_.d_k) : 1.0;
  o.soft_cap = config_.traits.soft_cap;
  return o;
}

template <typename Scalar>
Var<Scalar> MultiHeadAttention<Scalar>::queries(const Var<Scalar>& projected, Index first,
                                                const Mask& mask, Index n_k) const {
  const Var<Scalar> q = config_.traits.qk_norm ? unit_heads(projected, config_.heads) : projected;
  return scaled(rotated(q, first), mask, n_k);
}

template <typename Scalar>
Var<Scalar> MultiHeadAttention<Scalar>::keys(const Var<Scalar>& projected, Index first) const {
  return rotated(config_.traits.qk_norm ? unit_heads(projected, config_.kv_heads) : projected,
                 first);
}

template <typename Scalar>
typename MultiHeadAttention<Scalar>::Projected MultiHeadAttention<Scalar>::project(
    const Var<Scalar>& q, const Var<Scalar>& k, const Var<Scalar>& v, const Mask& mask) const {
  check_rank(path_.c_str(), "q", q.shape(), 3);
  check_rank(path_.c_str(), "k", k.shape(), 3);
  check_rank(path_.c_str(), "v", v.shape(), 3);
  const Index n_q = q.dim(1), n_k = k.dim(1);
  Projected p;
  p.options = options(mask);
  if (mask.may_hide_keys() && k.dim(0) == q.dim(0) && n_k == v.dim(1)) {
    mask.check(path_.c_str(), q.dim(0), config_.heads, n_q, n_k);
    const Tensor<std::uint8_t> visible = mask.visible_keys(q.dim(0), config_.heads, n_q, n_k);
    apply_weights(q, without_hidden(k, visible), without_hidden(v, visible), p);
  } else {
    apply_weights(q, k, v, p);
  }
  p.q = queries(p.q, n_k - n_q, mask, n_k);
  p.k = keys(p.k, 0);
  return p;
}

template <typename Scalar>
Var<Scalar> MultiHeadAttention<Scalar>::score_weight(Tape<Scalar>& tape) const {
  const Var<Scalar> weight = tape.parameter(*score_weight_);
  return scale_ == nullptr ? weight : mul(weight, tape.parameter(*scale_));
}

template <typename Scalar>
Var<Scalar> MultiHeadAttention<Scalar>::bias_table(const Projected& p) const {
  if (bias_ == nullptr) return {};
  return bias_->table(p.q.tape(), p.q.dim(1), p.k.dim(1));
}

template <typename Scalar>
Var<Scalar> MultiHeadAttention<Scalar>::finish(const Var<Scalar>& heads) const {
  return fc_o_ ? fc_o_->forward(heads) : heads;
}

template <typename Scalar>
Var<Scalar> MultiHeadAttention<Scalar>::attend_to(const Projected& p) const {
  if (score_weight_ == nullptr) {
    return finish(attention(p.q, p.k, p.v, p.options, bias_table(p)));
  }
  return finish(
      additive_attention(p.q, p.k, p.v, score_weight(p.q.tape()), p.options, bias_table(p)));
}

template <typename Scalar>
Var<Scalar> MultiHeadAttention<Scalar>::forward(const Var<Scalar>& q, const Var<Scalar>& k,
                                                const Var<Scalar>& v, const Mask& mask) const {
  const typename Tape<Scalar>::Scope scope(q.tape(), path_);
  return attend_to(project(q, k, v, mask));
}

template <typename Scalar>
KvCache<Scalar> MultiHeadAttention<Scalar>::make_cache(Index capacity) const {
  return {capacity, config_.kv_heads * config_.d_k, config_.kv_heads * config_.d_v};
}

template <typename Scalar>
void MultiHeadAttention<Scalar>::append(const Var<Scalar>& k, const Var<Scalar>& v,
                                        KvCache<Scalar>& cache) const {
  const typename Tape<Scalar>::Scope scope(k.tape(), path_);
  check_rank(path_.c_str(), "k", k.shape(), 3);
  check_rank(path_.c_str(), "v", v.shape(), 3);
  Projected p;
  apply_key_weights(k, v, {}, p);
  cache.append(keys(p.k, cache.length()), p.v);
}

template <typename Scalar>
Var<Scalar> MultiHeadAttention<Scalar>::attend(const Var<Scalar>& q, const KvCache<Scalar>& cache,
                                               const Mask& mask) const {
  const typename Tape<Scalar>::Scope scope(q.tape(), path_);
  check_rank(path_.c_str(), "q", q.shape(), 3);
  const Index n_k = cache.length();
  const auto [k, v] = cache.on(q.tape());
  return attend_to({.q = queries(fc_q_.forward(q), n_k - q.dim(1), mask, n_k),
                    .k = k,
                    .v = v,
                    .options = options(mask)});
}

template <typename Scalar>
AttentionResult<Scalar> MultiHeadAttention<Scalar>::forward_with_weights(
    const Var<Scalar>& q, const Var<Scalar>& k, const Var<Scalar>& v, const Mask& mask,
    AttentionTrace<Scalar>* trace) const {
  const typename Tape<Scalar>::Scope scope(q.tape(), path_);
  const Projected p = project(q, k, v, mask);
  const Var<Scalar> bias = bias_table(p);
  const Var<Scalar> w = score_weight_ == nullptr ? Var<Scalar>() : score_weight(q.tape());
  const AttentionResult<Scalar> r =
      score_weight_ == nullptr ? attention_with_weights(p.q, p.k, p.v, p.options, bias)
                               : additive_attention_with_weights(p.q, p.k, p.v, w, p.options, bias);
  if (trace != nullptr) {
    *trace = {.layer = path_,
              .kind = trace->kind,
              .q = p.q,
              .k = p.k,
              .v = p.v,
              .score_weight = w,
              .distance_bias = bias,
              .options = p.options,
              .weights = r.weights};
  }
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
