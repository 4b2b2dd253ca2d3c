#include "autograd/ops/additive_attention.h"

#include <cmath>
#include <limits>

#include "autograd/gradcheck.h"
#include "tests/support/expect.h"

namespace tapehead {
namespace {

using testing::expect_bits_equal;
using testing::expect_error;
using testing::expect_near;

AttentionOptions additive_options(Index heads, Index kv_heads, Mask mask = {}) {
  AttentionOptions o;
  o.heads = heads;
  o.kv_heads = kv_heads;
  o.mask = std::move(mask);
  return o;
}

struct AdditiveInputs {
  Tensor<double> q, k, v, w;
};

AdditiveInputs additive_inputs(Index batch, Index n_q, Index n_k, Index heads, Index kv_heads) {
  return {randn({batch, n_q, heads * 3}, 1), randn({batch, n_k, kv_heads * 3}, 2),
          randn({batch, n_k, kv_heads * 2}, 3), randn({heads, 3}, 4)};
}

struct AdditivePass {
  Tensor<double> output, weights, dq, dk, dv, dw;
  std::vector<Tensor<double>> all() const { return {output, dq, dk, dv, dw}; }
};

// One forward and backward pass; `with_weights` asks for the weights beside the output.
AdditivePass run_additive(const AdditiveInputs& in, const AttentionOptions& o, bool with_weights,
                          int threads = 0) {
  Tape<double> tape;
  tape.context().threads = threads;
  const auto q = tape.leaf(in.q, true), k = tape.leaf(in.k, true), v = tape.leaf(in.v, true);
  const auto w = tape.leaf(in.w, true);
  AdditivePass pass;
  Var<double> y;
  if (with_weights) {
    const auto r = additive_attention_with_weights(q, k, v, w, o);
    y = r.output;
    pass.weights = r.weights.value();
  } else {
    y = additive_attention(q, k, v, w, o);
  }
  pass.output = y.value();
  tape.backward(y, randn(y.shape(), 99));
  pass.dq = q.grad();
  pass.dk = k.grad();
  pass.dv = v.grad();
  pass.dw = w.grad();
  return pass;
}

TEST(AdditiveAttention, MatchesItsFormula) {
  // 70 queries: more than one block of the kernel; 4 query heads share 2 key/value heads.
  const AdditiveInputs in = additive_inputs(1, 70, 70, 4, 2);
  const AdditivePass pass = run_additive(in, additive_options(4, 2, Mask::causal()), true);
  for (Index i = 0; i < 70; ++i) {
    for (Index h = 0; h < 4; ++h) {
      std::vector<double> p;
      double sum = 0;
      for (Index j = 0; j <= i; ++j) {
        double score = 0;
        for (Index c = 0; c < 3; ++c) {
          score +=
              in.w[h * 3 + c] * std::tanh(in.q[i * 12 + h * 3 + c] + in.k[j * 6 + h / 2 * 3 + c]);
        }
        p.push_back(std::exp(score));
        sum += p.back();
      }
      double out = 0;
      for (Index j = 0; j <= i; ++j) {
        const double weight = p[static_cast<std::size_t>(j)] / sum;
        ASSERT_NEAR(pass.weights[(h * 70 + i) * 70 + j], weight, 1e-13);
        out += weight * in.v[j * 4 + h / 2 * 2];
      }
      ASSERT_NEAR(pass.output[i * 8 + h * 2], out, 1e-13);
    }
  }
}

TEST(AdditiveAttention, NeitherWeightsOnRequestNorThreadsNorMemoryChangeABit) {
  const AdditiveInputs in = additive_inputs(2, 70, 70, 4, 2);
  AttentionOptions o = additive_options(4, 2, Mask::causal() & Mask::key_lengths({70, 33}));
  o.soft_cap = 2;
  const AdditivePass plain = run_additive(in, o, false);
  o.keep_weights = false;
  for (const AdditivePass& other :
       {run_additive(in, o, true), run_additive(in, o, false, 1), run_additive(in, o, false, 3)}) {
    for (std::size_t i = 0; i < plain.all().size(); ++i) {
      expect_bits_equal(other.all()[i], plain.all()[i]);
    }
  }
}

TEST(AdditiveAttention, MultiQueryEqualsMultiHeadWithTiedKeysAndValues) {
  const AdditiveInputs in = additive_inputs(1, 3, 4, 4, 1);
  AdditiveInputs tied{in.q, Tensor<double>({1, 4, 12}), Tensor<double>({1, 4, 8}), in.w};
  for (Index j = 0; j < 4; ++j) {
    for (Index c = 0; c < 12; ++c) tied.k[j * 12 + c] = in.k[j * 3 + c % 3];
    for (Index c = 0; c < 8; ++c) tied.v[j * 8 + c] = in.v[j * 2 + c % 2];
  }
  expect_near(run_additive(in, additive_options(4, 1), false).output,
              run_additive(tied, additive_options(4, 4), false).output, 1e-14);
}

TEST(AdditiveAttention, HiddenKeysReachNothingEvenAsNan) {
  AdditiveInputs in = additive_inputs(2, 3, 5, 2, 2);
  const AttentionOptions o = additive_options(2, 2, Mask::key_lengths({3, 5}));
  const AdditivePass clean = run_additive(in, o, false);
  for (Index i = 3 * 6; i < 5 * 6; ++i) in.k[i] = std::numeric_limits<double>::quiet_NaN();
  for (Index i = 3 * 4; i < 5 * 4; ++i) in.v[i] = std::numeric_limits<double>::infinity();
  const AdditivePass dirty = run_additive(in, o, false);
  for (std::size_t i = 0; i < clean.all().size(); ++i) {
    expect_bits_equal(dirty.all()[i], clean.all()[i]);
  }
}

TEST(AdditiveAttention, RowThatSeesNothingIsZeroWithZeroGradient) {
  const AdditiveInputs in = additive_inputs(1, 2, 2, 1, 1);
  const AttentionOptions o =
      additive_options(1, 1, Mask::may_attend(Tensor<std::uint8_t>({2, 2}, {0, 0, 1, 0})));
  const AdditivePass pass = run_additive(in, o, true);
  for (Index c = 0; c < 2; ++c) EXPECT_EQ(pass.output[c], 0.0);
  for (Index c = 0; c < 3; ++c) EXPECT_EQ(pass.dq[c], 0.0);
  expect_bits_equal(pass.weights, {{1, 1, 2, 2}, {0, 0, 1, 0}});
}

TEST(AdditiveAttention, EveryConventionOfMaskGivesTheSameBits) {
  const AdditiveInputs in = additive_inputs(2, 3, 3, 2, 2);
  const double inf = std::numeric_limits<double>::infinity();
  const AdditivePass causal = run_additive(in, additive_options(2, 2, Mask::causal()), true);
  const Mask same[] = {
      Mask::causal_top_left(),
      Mask::may_attend(Tensor<std::uint8_t>({3, 3}, {1, 0, 0, 1, 1, 0, 1, 1, 1})),
      Mask::masked_out(Tensor<std::uint8_t>({1, 3, 3}, {0, 1, 1, 0, 0, 1, 0, 0, 0})),
      Mask::zero_is_masked(Tensor<double>({1, 1, 3, 3}, {1, 0, 0, 1, 1, 0, 1, 1, 1})),
      Mask::additive(Tensor<double>({3, 3}, {0, -inf, -inf, 0, 0, -inf, 0, 0, 0}))};
  for (const Mask& mask : same) {
    expect_bits_equal(run_additive(in, additive_options(2, 2, mask), true).weights, causal.weights);
  }
}

TEST(AdditiveAttention, ErrorsNameTheShapes) {
  Tape<double> tape;
  const auto var = [&](const Shape& s) { return tape.leaf(Tensor<double>(s)); };
  const auto call = [&](const Shape& q, const Shape& k, const Shape& w) {
    return [=] { additive_attention(var(q), var(k), var(k), var(w), additive_options(1, 1)); };
  };
  expect_error<ShapeError>(call({1, 2, 4}, {1, 2, 3}, {1, 4}),
                           "additive_attention: .*\\(1, 2, 3\\).*width of a head");
  expect_error<ShapeError>(call({1, 2, 4}, {1, 2, 4}, {1, 3}),
                           "score_weight has shape \\(1, 3\\).*\\(1, 4\\)");
}

}  // namespace
}  // namespace tapehead
