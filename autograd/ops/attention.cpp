#include "autograd/ops/attention.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "autograd/check.h"
#include "autograd/error.h"
#include "autograd/kernels/attention.h"

namespace tapehead {

namespace {

// The operands as the kernels see them; keys and values that no query sees are zeroed, so that
// 0 * NaN cannot arise.
template <typename Scalar>
struct Operands {
  Tensor<Scalar> q, k, v;
  Mask mask;
  kernels::Attention<Scalar> problem;

  // Pointers are set where they are used: the tensors may have been moved since.
  kernels::Attention<Scalar> on(const Tape<Scalar>& tape) const {
    kernels::Attention<Scalar> a = problem;
    a.q = q.data();
    a.k = k.data();
    a.v = v.data();
    a.mask = &mask;
    a.threads = tape.threads();
    return a;
  }
};

[[noreturn]] void refuse(const Shape& q, const Shape& k, const Shape& v, const AttentionOptions& o,
                         const char* wanted) {
  throw ShapeError(
      fmt::format("attention: q has shape {}, k has shape {}, v has shape {}, with {} heads and {} "
                  "kv heads; {}",
                  q.str(), k.str(), v.str(), o.heads, o.kv_heads, wanted));
}

void check_shapes(const Shape& q, const Shape& k, const Shape& v, const AttentionOptions& o) {
  check_rank("attention", "q", q, 3);
  check_rank("attention", "k", k, 3);
  check_rank("attention", "v", v, 3);
  if (q[0] != k[0] || q[0] != v[0]) refuse(q, k, v, o, "the batch sizes must be equal");
  if (k[1] != v[1]) refuse(q, k, v, o, "there must be as many values as keys");
  if (o.heads < 1 || o.kv_heads < 1 || o.heads % o.kv_heads != 0) {
    refuse(q, k, v, o, "heads must be a positive multiple of kv heads");
  }
  if (q[2] % o.heads != 0) refuse(q, k, v, o, "q's width must be a multiple of heads");
  if (v[2] % o.kv_heads != 0) refuse(q, k, v, o, "v's width must be a multiple of kv heads");
  if (k[2] != q[2] / o.heads * o.kv_heads) {
    refuse(q, k, v, o, "the width of a head must be the same in q and k");
  }
}

void check_masked_rows(const AttentionOptions& o, Index batch, Index n_q, Index n_k) {
  const Tensor<float> mask = o.mask.dense<float>(batch, o.heads, n_q, n_k);
  for (Index row = 0; row < batch * o.heads * n_q; ++row) {
    const auto keys =
        mask.values().subspan(static_cast<std::size_t>(row * n_k), static_cast<std::size_t>(n_k));
    if (std::all_of(keys.begin(), keys.end(), [](float m) { return std::isinf(m); })) {
      throw ValueError(fmt::format(
          "attention: query {} of head {} of batch entry {} may attend to none of {} keys",
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
kernels::WeightDropout weight_dropout(const Tape<Scalar>& tape, const AttentionOptions& o) {
  if (!(o.dropout >= 0.0 && o.dropout < 1.0)) {
    throw ValueError(fmt::format("attention: dropout {} must be in [0, 1)", o.dropout));
  }
  const RunContext& context = tape.context();
  if (!context.training || o.dropout == 0.0) return {};
  return {o.dropout, kernels::DropoutKey{context.seed, context.step, o.layer_id},
          context.first_row};
}

template <typename Scalar>
Operands<Scalar> make_operands(const Var<Scalar>& q, const Var<Scalar>& k, const Var<Scalar>& v,
                               const AttentionOptions& o) {
  check_shapes(q.shape(), k.shape(), v.shape(), o);
  Tape<Scalar>& tape = q.tape();
  Operands<Scalar> x{q.value(), k.value(), v.value(), o.mask, {}};
  kernels::Attention<Scalar>& a = x.problem;
  a.batch = q.shape()[0];
  a.heads = o.heads;
  a.kv_heads = o.kv_heads;
  a.n_q = q.shape()[1];
  a.n_k = k.shape()[1];
  a.d_k = q.shape()[2] / o.heads;
  a.d_v = v.shape()[2] / o.kv_heads;
  a.scale = o.scale.value_or(1.0 / std::sqrt(static_cast<double>(std::max(a.d_k, Index{1}))));
  a.dropout = weight_dropout(tape, o);
  o.mask.check("attention", a.batch, a.heads, a.n_q, a.n_k);
  if (o.refuse_masked_rows) check_masked_rows(o, a.batch, a.n_q, a.n_k);
  if (o.mask.may_hide_keys()) {
    const Tensor<std::uint8_t> visible = o.mask.visible_keys(a.batch, a.heads, a.n_q, a.n_k);
    if (std::any_of(visible.values().begin(), visible.values().end(),
                    [](std::uint8_t seen) { return seen == 0; })) {
      x.k = without_hidden(tape, x.k, visible);
      x.v = without_hidden(tape, x.v, visible);
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

}  // namespace

template <typename Scalar>
Var<Scalar> attention(const Var<Scalar>& q, const Var<Scalar>& k, const Var<Scalar>& v,
                      const AttentionOptions& options) {
  Tape<Scalar>& tape = q.tape();
  const Operands<Scalar> x = make_operands(q, k, v, options);
  const bool keep_weights =
      tape.recording() && options.keep_weights.value_or(x.problem.n_k <= kMostKeysWithSavedWeights);
  const ForwardResult<Scalar> r = forward(tape, x, keep_weights);
  return tape.record(Op::attention, r.output, {q, k, v},
                     [q, k, v, x, weights = r.weights](Tape<Scalar>& t, const Tensor<Scalar>&,
                                                       const Tensor<Scalar>& d_out) {
                       const kernels::Attention<Scalar> a = x.on(t);
                       Tensor<Scalar> scratch = make_scratch(t, a);
                       Tensor<Scalar> dq = t.allocate(q.shape());
                       Tensor<Scalar> dk = t.allocate(k.shape());
                       Tensor<Scalar> dv = t.allocate(v.shape());
                       kernels::attention_backward(a, weights.defined() ? weights.data() : nullptr,
                                                   d_out.data(), scratch.data(), dq.data(),
                                                   dk.data(), dv.data());
                       t.add_grad(q, dq);
                       t.add_grad(k, dk);
                       t.add_grad(v, dv);
                     });
}

template <typename Scalar>
AttentionResult<Scalar> attention_with_weights(const Var<Scalar>& q, const Var<Scalar>& k,
                                               const Var<Scalar>& v,
                                               const AttentionOptions& options) {
  Tape<Scalar>& tape = q.tape();
  const Operands<Scalar> x = make_operands(q, k, v, options);
  const ForwardResult<Scalar> r = forward(tape, x, true);
  // Steps 1 to 3 and step 4 as two nodes, so that the weights can have a gradient of their own.
  const Var<Scalar> weights =
      tape.record(Op::attention, r.weights, {q, k},
                  [q, k, x](Tape<Scalar>& t, const Tensor<Scalar>& p, const Tensor<Scalar>& dp) {
                    const kernels::Attention<Scalar> a = x.on(t);
                    Tensor<Scalar> scratch = make_scratch(t, a);
                    Tensor<Scalar> dq = t.allocate(q.shape());
                    Tensor<Scalar> dk = t.allocate(k.shape());
                    kernels::attention_scores_backward(a, p.data(), dp.data(), scratch.data(),
                                                       dq.data(), dk.data());
                    t.add_grad(q, dq);
                    t.add_grad(k, dk);
                  });
  const Var<Scalar> output =
      tape.record(Op::attention, r.output, {weights, v},
                  [weights, v, x, p = r.weights](Tape<Scalar>& t, const Tensor<Scalar>&,
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

template Var<float> attention(const Var<float>&, const Var<float>&, const Var<float>&,
                              const AttentionOptions&);
template Var<double> attention(const Var<double>&, const Var<double>&, const Var<double>&,
                               const AttentionOptions&);
template AttentionResult<float> attention_with_weights(const Var<float>&, const Var<float>&,
                                                       const Var<float>&, const AttentionOptions&);
template AttentionResult<double> attention_with_weights(const Var<double>&, const Var<double>&,
                                                        const Var<double>&,
                                                        const AttentionOptions&);

}  // namespace tapehead
