#include "autograd/ops/attention_pass.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "autograd/check.h"
#include "autograd/kernels/attention.h"
#include "autograd/kernels/columns.h"
#include "base/error.h"

namespace tapehead::detail {

namespace {

// The operands as the kernels see them; keys and values that no query sees are zeroed, so that
// 0 * NaN cannot arise.
template <typename Scalar>
struct Operands {
  Tensor<Scalar> q, k, v;
  Tensor<Scalar> score_weight, distance_bias;  // undefined if there is none
  Mask mask;
  kernels::Attention<Scalar> problem;

  // Pointers are set where they are used: the tensors may have been moved since.
  kernels::Attention<Scalar> on(const Tape<Scalar>& tape) const {
    kernels::Attention<Scalar> a = problem;
    a.q = q.data();
    a.k = k.data();
    a.v = v.data();
    a.mask = mask.view();
    if (score_weight.defined()) a.score_weight = score_weight.data();
    if (distance_bias.defined()) a.distance_bias = distance_bias.data();
    a.threads = tape.threads();
    return a;
  }
};

[[noreturn]] void refuse(const char* op, const Shape& q, const Shape& k, const Shape& v,
                         const AttentionOptions& o, const char* wanted) {
  throw ShapeError(
      fmt::format("{}: q has shape {}, k has shape {}, v has shape {}, with {} heads and {} "
                  "kv heads; {}",
                  op, q.str(), k.str(), v.str(), o.heads, o.kv_heads, wanted));
}

void check_shapes(const char* op, const Shape& q, const Shape& k, const Shape& v,
                  const AttentionOptions& o) {
  check_rank(op, "q", q, 3);
  check_rank(op, "k", k, 3);
  check_rank(op, "v", v, 3);
  const auto require = [&](bool condition, const char* wanted) {
    if (!condition) refuse(op, q, k, v, o, wanted);
  };
  require(q[0] == k[0] && q[0] == v[0], "the batch sizes must be equal");
  require(k[1] == v[1], "there must be as many values as keys");
  require(o.heads >= 1 && o.kv_heads >= 1 && o.heads % o.kv_heads == 0,
          "heads must be a positive multiple of kv heads");
  require(q[2] % o.heads == 0, "q's width must be a multiple of heads");
  require(v[2] % o.kv_heads == 0, "v's width must be a multiple of kv heads");
  require(k[2] == q[2] / o.heads * o.kv_heads, "the width of a head must be the same in q and k");
}

template <typename Scalar>
void check_score_terms(const char* op, const AttentionInputs<Scalar>& in,
                       const AttentionOptions& o) {
  if (in.score_weight.defined()) {
    check_same_shape(op, "score_weight", in.score_weight.shape(), "the heads of q",
                     {o.heads, in.q.dim(2) / o.heads});
  }
  if (in.distance_bias.defined()) {
    const Index distances = std::max(in.q.dim(1) + in.k.dim(1) - 1, Index{0});
    check_same_shape(op, "distance_bias", in.distance_bias.shape(),
                     "(heads, n_q + n_k - 1) of these q and k", {o.heads, distances});
  }
  if (!(o.soft_cap >= 0) || std::isinf(o.soft_cap)) {
    throw ValueError(
        fmt::format("{}: soft_cap is {}; it must be a number > 0, or 0 for none", op, o.soft_cap));
  }
}

void check_masked_rows(const char* op, const AttentionOptions& o, Index batch, Index n_q,
                       Index n_k) {
  const Tensor<float> mask = o.mask.dense<float>(batch, o.heads, n_q, n_k);
  for (Index row = 0; row < batch * o.heads * n_q; ++row) {
    const auto keys =
        mask.values().subspan(static_cast<std::size_t>(row * n_k), static_cast<std::size_t>(n_k));
    if (std::all_of(keys.begin(), keys.end(), [](float m) { return std::isinf(m); })) {
      throw ValueError(
          fmt::format("{}: query {} of head {} of batch entry {} may attend to none of {} keys", op,
                      row % n_q, row / n_q % o.heads, row / (n_q * o.heads), n_k));
    }
  }
}

// x (batch, n_k, width) with the rows that are not visible set to zero.
template <typename Scalar>
Tensor<Scalar> without_hidden(Tape<Scalar>& tape, const Tensor<Scalar>& x,
                              const Tensor<std::uint8_t>& visible) {
  Tensor<Scalar> result = tape.allocate(x.shape());
  const Index width = x.shape()[2];
  for (Index row = 0; row < visible.size(); ++row) {
    if (visible[row] != 0) {
      std::copy_n(x.data() + row * width, width, result.data() + row * width);
    } else {
      std::fill_n(result.data() + row * width, width, Scalar(0));
    }
  }
  return result;
}

template <typename Scalar>
kernels::WeightDropout weight_dropout(const char* op, const Tape<Scalar>& tape,
                                      const AttentionOptions& o) {
  if (!(o.dropout >= 0.0 && o.dropout < 1.0)) {
    throw ValueError(fmt::format("{}: dropout {} must be in [0, 1)", op, o.dropout));
  }
  const RunContext& context = tape.context();
  if (!context.training || o.dropout == 0.0) return {};
  return {o.dropout, kernels::DropoutKey{context.seed, context.step, o.layer_id},
          context.first_row};
}

template <typename Scalar>
kernels::Attention<Scalar> make_problem(const char* op, const AttentionInputs<Scalar>& in,
                                        const AttentionOptions& o) {
  kernels::Attention<Scalar> a;
  a.batch = in.q.dim(0);
  a.heads = o.heads;
  a.kv_heads = o.kv_heads;
  a.n_q = in.q.dim(1);
  a.n_k = in.k.dim(1);
  a.d_k = in.q.dim(2) / o.heads;
  a.d_v = in.v.dim(2) / o.kv_heads;
  const double root = std::sqrt(static_cast<double>(std::max(a.d_k, Index{1})));
  a.scale = o.scale.value_or(in.score_weight.defined() ? 1.0 : 1.0 / root);
  a.soft_cap = o.soft_cap;
  a.dropout = weight_dropout(op, in.q.tape(), o);
  return a;
}

template <typename Scalar>
Operands<Scalar> make_operands(const char* op, const AttentionInputs<Scalar>& in,
                               const AttentionOptions& o) {
  check_shapes(op, in.q.shape(), in.k.shape(), in.v.shape(), o);
  check_score_terms(op, in, o);
  Operands<Scalar> x{in.q.value(), in.k.value(), in.v.value(),           {},
                     {},           o.mask,       make_problem(op, in, o)};
  if (in.score_weight.defined()) x.score_weight = in.score_weight.value();
  if (in.distance_bias.defined()) x.distance_bias = in.distance_bias.value();
  const kernels::Attention<Scalar>& a = x.problem;
  o.mask.check(op, a.batch, a.heads, a.n_q, a.n_k);
  if (o.refuse_masked_rows) check_masked_rows(op, o, a.batch, a.n_q, a.n_k);
  if (o.mask.may_hide_keys()) {
    const Tensor<std::uint8_t> visible = o.mask.visible_keys(a.batch, a.heads, a.n_q, a.n_k);
    if (std::any_of(visible.values().begin(), visible.values().end(),
                    [](std::uint8_t seen) { return seen == 0; })) {
      x.k = without_hidden(in.q.tape(), x.k, visible);
      x.v = without_hidden(in.q.tape(), x.v, visible);
    }
  }
  return x;
}

template <typename Scalar>
Tensor<Scalar> make_scratch(Tape<Scalar>& tape, const kernels::Attention<Scalar>& a) {
  return tape.allocate({a.scratch_size()});
}

template <typename Scalar>
struct ForwardResult {
  Tensor<Scalar> weights, output;  // weights: undefined if not kept
};

template <typename Scalar>
ForwardResult<Scalar> forward(Tape<Scalar>& tape, const Operands<Scalar>& x, bool keep_weights) {
  const kernels::Attention<Scalar> a = x.on(tape);
  ForwardResult<Scalar> r;
  if (keep_weights) r.weights = tape.allocate({a.batch, a.heads, a.n_q, a.n_k});
  r.output = tape.allocate({a.batch, a.n_q, a.heads * a.d_v});
  Tensor<Scalar> scratch = make_scratch(tape, a);
  kernels::attention_forward(a, keep_weights ? r.weights.data() : nullptr, scratch.data(),
                             r.output.data());
  return r;
}

// The gradients of the scores' operands while a backward function computes them.
template <typename Scalar>
struct ScoreGradientBuffers {
  Tensor<Scalar> dq, dk;
  Tensor<Scalar> d_score_weight, d_distance_bias;  // of each batch entry; undefined: not wanted

  ScoreGradientBuffers(Tape<Scalar>& t, const AttentionInputs<Scalar>& in,
                       const kernels::Attention<Scalar>& a)
      : dq(t.allocate(in.q.shape())), dk(t.allocate(in.k.shape())) {
    if (in.score_weight.defined()) d_score_weight = t.allocate({a.batch, a.heads, a.d_k});
    if (in.distance_bias.defined() && in.distance_bias.requires_grad()) {
      d_distance_bias = t.allocate({a.batch, a.heads, a.distances()});
    }
  }

  kernels::ScoreGradients<Scalar> pointers() {
    return {dq.data(), dk.data(), d_score_weight.defined() ? d_score_weight.data() : nullptr,
            d_distance_bias.defined() ? d_distance_bias.data() : nullptr};
  }

  void deliver(Tape<Scalar>& t, const AttentionInputs<Scalar>& in) {
    t.add_grad(in.q, dq);
    t.add_grad(in.k, dk);
    deliver_sum(t, in.score_weight, d_score_weight);
    deliver_sum(t, in.distance_bias, d_distance_bias);
  }

 private:
  // Adds the sum over batch entries.
  static void deliver_sum(Tape<Scalar>& t, const Var<Scalar>& x, const Tensor<Scalar>& each) {
    if (!each.defined()) return;
    t.accumulate(x, [&](Scalar* sum) {
      kernels::add_column_sums(each.data(), each.dim(0), x.shape().size(), sum, t.threads());
    });
  }
};

// The operands of the scores, and v if asked for, as inputs of a node.
template <typename Scalar>
struct InputList {
  std::array<Var<Scalar>, 5> vars;
  std::size_t count = 0;

  InputList(const AttentionInputs<Scalar>& in, bool values) {
    vars[count++] = in.q;
    vars[count++] = in.k;
    if (values) vars[count++] = in.v;
    if (in.score_weight.defined()) vars[count++] = in.score_weight;
    if (in.distance_bias.defined()) vars[count++] = in.distance_bias;
  }
  std::span<const Var<Scalar>> span() const { return {vars.data(), count}; }
};

}  // namespace

template <typename Scalar>
Tensor<Scalar> masked_scores(Op op, const AttentionInputs<Scalar>& in,
                             const AttentionOptions& options) {
  Tape<Scalar>& tape = in.q.tape();
  AttentionInputs<Scalar> operands = in;
  if (!in.v.defined()) operands.v = in.k;  // no score depends on the values
  const Operands<Scalar> x = make_operands(op_name(op), operands, options);
  const kernels::Attention<Scalar> a = x.on(tape);
  Tensor<Scalar> scores = tape.allocate({a.batch, a.heads, a.n_q, a.n_k});
  Tensor<Scalar> scratch = make_scratch(tape, a);
  kernels::attention_masked_scores(a, scratch.data(), scores.data());
  return scores;
}

template <typename Scalar>
Var<Scalar> record_attention(Op op, const AttentionInputs<Scalar>& in,
                             const AttentionOptions& options) {
  Tape<Scalar>& tape = in.q.tape();
  const Operands<Scalar> x = make_operands(op_name(op), in, options);
  const bool keep_weights =
      tape.recording() && options.keep_weights.value_or(x.problem.n_k <= kMostKeysWithSavedWeights);
  const ForwardResult<Scalar> r = forward(tape, x, keep_weights);
  return tape.record(op, r.output, InputList<Scalar>(in, true).span(),
                     [in, x, weights = r.weights](Tape<Scalar>& t, const Tensor<Scalar>&,
                                                  const Tensor<Scalar>& d_out) {
                       const kernels::Attention<Scalar> a = x.on(t);
                       Tensor<Scalar> scratch = make_scratch(t, a);
                       ScoreGradientBuffers<Scalar> d(t, in, a);
                       Tensor<Scalar> dv = t.allocate(in.v.shape());
                       kernels::attention_backward(a, weights.defined() ? weights.data() : nullptr,
                                                   d_out.data(), scratch.data(), d.pointers(),
                                                   dv.data());
                       d.deliver(t, in);
                       t.add_grad(in.v, dv);
                     });
}

template <typename Scalar>
AttentionResult<Scalar> record_attention_with_weights(Op op, const AttentionInputs<Scalar>& in,
                                                      const AttentionOptions& options) {
  Tape<Scalar>& tape = in.q.tape();
  const Operands<Scalar> x = make_operands(op_name(op), in, options);
  const ForwardResult<Scalar> r = forward(tape, x, true);
  // Steps 1 to 3 and step 4 as two nodes, so that the weights can have a gradient of their own.
  const Var<Scalar> weights = tape.record(
      op, r.weights, InputList<Scalar>(in, false).span(),
      [in, x](Tape<Scalar>& t, const Tensor<Scalar>& p, const Tensor<Scalar>& dp) {
        const kernels::Attention<Scalar> a = x.on(t);
        Tensor<Scalar> scratch = make_scratch(t, a);
        ScoreGradientBuffers<Scalar> d(t, in, a);
        kernels::attention_scores_backward(a, p.data(), dp.data(), scratch.data(), d.pointers());
        d.deliver(t, in);
      });
  const Var<Scalar> output =
      tape.record(op, r.output, {weights, in.v},
                  [weights, v = in.v, x, p = r.weights](Tape<Scalar>& t, const Tensor<Scalar>&,
                                                        const Tensor<Scalar>& d_out) {
                    const kernels::Attention<Scalar> a = x.on(t);
                    Tensor<Scalar> scratch = make_scratch(t, a);
                    Tensor<Scalar> dp = t.allocate(weights.shape());
                    Tensor<Scalar> dv = t.allocate(v.shape());
                    kernels::attention_values_backward(a, p.data(), d_out.data(), scratch.data(),
                                                       dp.data(), dv.data());
                    t.add_grad(weights, dp);
                    t.add_grad(v, dv);
                  });
  return {output, weights};
}

template Tensor<float> masked_scores(Op, const AttentionInputs<float>&, const AttentionOptions&);
template Tensor<double> masked_scores(Op, const AttentionInputs<double>&, const AttentionOptions&);
template Var<float> record_attention(Op, const AttentionInputs<float>&, const AttentionOptions&);
template Var<double> record_attention(Op, const AttentionInputs<double>&, const AttentionOptions&);
template AttentionResult<float> record_attention_with_weights(Op, const AttentionInputs<float>&,
                                                              const AttentionOptions&);
template AttentionResult<double> record_attention_with_weights(Op, const AttentionInputs<double>&,
                                                               const AttentionOptions&);

}  // namespace tapehead::detail
