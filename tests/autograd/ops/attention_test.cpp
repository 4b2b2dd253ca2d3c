#include "autograd/ops/attention.h"

#include <cmath>
#include <limits>

#include "autograd/gradcheck.h"
#include "autograd/ops/attention_composed.h"
#include "tests/support/expect.h"

namespace tapehead {
namespace {

using testing::expect_bits_equal;
using testing::expect_error;
using testing::expect_near;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

AttentionOptions options(Index heads, Index kv_heads, Mask mask = {}) {
  AttentionOptions o;
  o.heads = heads;
  o.kv_heads = kv_heads;
  o.mask = std::move(mask);
  return o;
}

struct Pass {
  Tensor<double> output, weights, dq, dk, dv;
};

// One forward and backward pass; `with_weights` asks for the weights beside the output.
Pass run(const Tensor<double>& q, const Tensor<double>& k, const Tensor<double>& v,
         const AttentionOptions& o, bool with_weights, bool training = false, int threads = 0) {
  Tape<double> tape;
  tape.context().threads = threads;
  tape.context().training = training;
  const auto vq = tape.leaf(q, true), vk = tape.leaf(k, true), vv = tape.leaf(v, true);
  Pass pass;
  Var<double> y;
  if (with_weights) {
    const auto r = attention_with_weights(vq, vk, vv, o);
    y = r.output;
    pass.weights = r.weights.value();
  } else {
    y = attention(vq, vk, vv, o);
  }
  pass.output = y.value();
  tape.backward(y, randn(y.shape(), 99));
  pass.dq = vq.grad();
  pass.dk = vk.grad();
  pass.dv = vv.grad();
  return pass;
}

// One query of one head, in plain loops from the formula.
std::vector<double> by_the_formula(const Tensor<double>& q, const Tensor<double>& k,
                                   const Tensor<double>& v, Index i, Index keys) {
  const Index d = q.dim(2), dv = v.dim(2);
  std::vector<double> p(static_cast<std::size_t>(keys)), out(static_cast<std::size_t>(dv));
  double sum = 0;
  for (Index j = 0; j < keys; ++j) {
    double s = 0;
    for (Index c = 0; c < d; ++c) s += q[i * d + c] * k[j * d + c];
    sum += p[static_cast<std::size_t>(j)] = std::exp(s / std::sqrt(static_cast<double>(d)));
  }
  for (Index j = 0; j < keys; ++j) {
    for (Index c = 0; c < dv; ++c) {
      out[static_cast<std::size_t>(c)] += p[static_cast<std::size_t>(j)] / sum * v[j * dv + c];
    }
  }
  return out;
}

TEST(Attention, MatchesItsFormulaRowByRow) {
  // 70 queries: more than one block of the kernel.
  const auto q = randn({1, 70, 5}, 1), k = randn({1, 70, 5}, 2), v = randn({1, 70, 3}, 3);
  const Pass plain = run(q, k, v, options(1, 1), true);
  const Pass causal = run(q, k, v, options(1, 1, Mask::causal()), true);
  for (Index i = 0; i < 70; ++i) {
    const auto all = by_the_formula(q, k, v, i, 70);
    const auto past = by_the_formula(q, k, v, i, i + 1);
    for (Index c = 0; c < 3; ++c) {
      ASSERT_NEAR(plain.output[i * 3 + c], all[static_cast<std::size_t>(c)], 1e-13);
      ASSERT_NEAR(causal.output[i * 3 + c], past[static_cast<std::size_t>(c)], 1e-13);
    }
  }
}

TEST(Attention, AskingForWeightsChangesNoBit) {
  const auto q = randn({2, 70, 12}, 1), k = randn({2, 70, 6}, 2), v = randn({2, 70, 4}, 3);
  for (const double dropout : {0.0, 0.3}) {
    AttentionOptions o = options(4, 2, Mask::causal() & Mask::key_lengths({70, 33}));
    o.dropout = dropout;
    const Pass without = run(q, k, v, o, false, true);
    const Pass with = run(q, k, v, o, true, true);
    expect_bits_equal(with.output, without.output);
    expect_bits_equal(with.dq, without.dq);
    expect_bits_equal(with.dk, without.dk);
    expect_bits_equal(with.dv, without.dv);
  }
}

TEST(Attention, ComputingWeightsAgainChangesNoBit) {
  const auto q = randn({2, 70, 12}, 1), k = randn({2, 70, 6}, 2), v = randn({2, 70, 4}, 3);
  for (const double dropout : {0.0, 0.3}) {
    AttentionOptions o = options(4, 2, Mask::causal() & Mask::key_lengths({70, 33}));
    o.dropout = dropout;
    o.keep_weights = true;
    const Pass kept = run(q, k, v, o, false, true);
    o.keep_weights = false;
    for (const int threads : {0, 1, 2, 3}) {
      const Pass again = run(q, k, v, o, false, true, threads);
      expect_bits_equal(again.output, kept.output);
      expect_bits_equal(again.dq, kept.dq);
      expect_bits_equal(again.dk, kept.dk);
      expect_bits_equal(again.dv, kept.dv);
    }
  }
}

TEST(Attention, EqualsItsCompositionOfSmallOps) {
  const Tensor<std::uint8_t> holes({3, 4}, {1, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 1});
  const Mask masks[] = {Mask::none(),
                        Mask::causal(),
                        Mask::causal_top_left(),
                        Mask::key_lengths({4, 2}),
                        Mask::may_attend(holes),
                        Mask::additive(randn({2, 1, 3, 4}, 5)) & Mask::causal()};
  for (const Mask& mask : masks) {
    for (const Index kv_heads : {4, 2, 1}) {
      AttentionOptions o = options(4, kv_heads, mask);
      o.scale = 0.7;
      o.dropout = 0.3;
      o.layer_id = 5;
      const auto pass = [&](const auto& op) {
        Tape<double> tape;
        tape.context().training = true;
        const auto q = tape.leaf(randn({2, 3, 8}, 1), true);
        const auto k = tape.leaf(randn({2, 4, kv_heads * 2}, 2), true);
        const auto v = tape.leaf(randn({2, 4, kv_heads * 3}, 3), true);
        const Var<double> y = op(q, k, v);
        tape.backward(y, randn(y.shape(), 4));
        return std::vector<Tensor<double>>{y.value(), q.grad(), k.grad(), v.grad()};
      };
      const auto fused = pass([&](auto... in) { return attention(in..., o); });
      const auto composed = pass([&](auto... in) { return attention_composed(in..., o).output; });
      for (std::size_t i = 0; i < fused.size(); ++i) expect_near(fused[i], composed[i], 1e-13);
    }
  }
}

TEST(Attention, WeightsAreRowsOfProbabilities) {
  const auto q = randn({2, 3, 4}, 1), k = randn({2, 3, 4}, 2), v = randn({2, 3, 4}, 3);
  const Pass pass = run(q, k, v, options(2, 2, Mask::causal()), true);
  ASSERT_EQ(pass.weights.shape(), (Shape{2, 2, 3, 3}));
  for (Index row = 0; row < 12; ++row) {
    double sum = 0;
    for (Index j = 0; j < 3; ++j) {
      sum += pass.weights[row * 3 + j];
      if (j > row % 3) {
        EXPECT_EQ(pass.weights[row * 3 + j], 0.0);
      }
    }
    EXPECT_NEAR(sum, 1.0, 1e-15);
  }
}

TEST(Attention, DropoutKeepsTheMean) {
  // The mean over many weights of dropout(P) V equals P V: 1/(1-p) makes up for what is zeroed.
  const Tensor<double> q({1, 1, 1}), k({1, 20000, 1});
  const auto v = Tensor<double>::full({1, 20000, 1}, 1.0);
  AttentionOptions o = options(1, 1);
  o.dropout = 0.25;
  const Pass pass = run(q, k, v, o, false, true);
  // Standard error of the kept share: sqrt(0.25 * 0.75 / 20000) / 0.75 = 0.004.
  EXPECT_NEAR(pass.output[0], 1.0, 4 * 0.0041);
  EXPECT_NE(pass.output[0], 1.0);
  expect_near(run(q, k, v, o, false, false).output, Tensor<double>::full({1, 1, 1}, 1.0), 1e-12);
}

TEST(Attention, HiddenKeysReachNeitherResultNorGradientEvenAsNan) {
  const auto q = randn({2, 3, 4}, 1);
  auto k = randn({2, 5, 4}, 2), v = randn({2, 5, 4}, 3);
  const AttentionOptions o = options(2, 2, Mask::key_lengths({3, 5}));
  const Pass clean = run(q, k, v, o, false);
  for (Index i = 3 * 4; i < 5 * 4; ++i) {  // keys 3 and 4 of the first entry are padding
    k[i] = kNan;
    v[i] = std::numeric_limits<double>::infinity();
  }
  const Pass dirty = run(q, k, v, o, false);
  expect_bits_equal(dirty.output, clean.output);
  expect_bits_equal(dirty.dq, clean.dq);
  expect_bits_equal(dirty.dk, clean.dk);
  expect_bits_equal(dirty.dv, clean.dv);
}

TEST(Attention, RowThatSeesNothingIsZeroWithZeroGradient) {
  // The documents' triu(mask) with the diagonal: query 0 sees no key.
  const AttentionOptions o =
      options(1, 1, Mask::may_attend(Tensor<std::uint8_t>({2, 2}, {0, 0, 1, 0})));
  const Pass pass = run(randn({1, 2, 3}, 1), randn({1, 2, 3}, 2), randn({1, 2, 3}, 3), o, true);
  for (Index c = 0; c < 3; ++c) {
    EXPECT_EQ(pass.output[c], 0.0);
    EXPECT_EQ(pass.dq[c], 0.0);
  }
  expect_bits_equal(pass.weights, {{1, 1, 2, 2}, {0, 0, 1, 0}});
  AttentionOptions refusing = o;
  refusing.refuse_masked_rows = true;
  expect_error<ValueError>(
      [&] {
        run(randn({1, 2, 3}, 1), randn({1, 2, 3}, 2), randn({1, 2, 3}, 3), refusing, false);
      },
      "query 0 of head 0 of batch entry 0 may attend to none of 2 keys");
}

TEST(Attention, EveryConventionOfMaskGivesTheSameBits) {
  const auto q = randn({2, 3, 4}, 1), k = randn({2, 3, 4}, 2), v = randn({2, 3, 4}, 3);
  const double inf = std::numeric_limits<double>::infinity();
  const Pass causal = run(q, k, v, options(2, 2, Mask::causal()), true);
  const Mask same[] = {
      Mask::causal_top_left(),
      Mask::may_attend(Tensor<std::uint8_t>({3, 3}, {1, 0, 0, 1, 1, 0, 1, 1, 1})),
      Mask::masked_out(Tensor<std::uint8_t>({1, 3, 3}, {0, 1, 1, 0, 0, 1, 0, 0, 0})),
      Mask::zero_is_masked(Tensor<double>({1, 1, 3, 3}, {1, 0, 0, 1, 1, 0, 1, 1, 1})),
      Mask::additive(Tensor<double>({3, 3}, {0, -inf, -inf, 0, 0, -inf, 0, 0, 0}))};
  for (const Mask& mask : same) {
    const Pass pass = run(q, k, v, options(2, 2, mask), true);
    expect_bits_equal(pass.weights, causal.weights);
    // Keys that no query of a block sees are left out of the products for some masks and
    // multiplied by zero for others; both are exact.
    expect_near(pass.output, causal.output, 1e-15);
    expect_near(pass.dk, causal.dk, 1e-15);
  }
}

TEST(Attention, CausalIsAlignedToTheEnd) {
  const auto q = randn({1, 2, 3}, 1), k = randn({1, 4, 3}, 2), v = randn({1, 4, 3}, 3);
  const Pass end = run(q, k, v, options(1, 1, Mask::causal()), true);
  const Pass top_left = run(q, k, v, options(1, 1, Mask::causal_top_left()), true);
  for (Index j = 0; j < 4; ++j) {
    EXPECT_EQ(end.weights[j] > 0, j <= 2);
    EXPECT_EQ(end.weights[4 + j] > 0, j <= 3);
    EXPECT_EQ(top_left.weights[j] > 0, j <= 0);
    EXPECT_EQ(top_left.weights[4 + j] > 0, j <= 1);
  }
}

TEST(Attention, MultiQueryEqualsMultiHeadWithTiedKeysAndValues) {
  const auto q = randn({1, 3, 8}, 1), k = randn({1, 4, 2}, 2), v = randn({1, 4, 3}, 3);
  Tensor<double> k4({1, 4, 8}), v4({1, 4, 12});
  for (Index j = 0; j < 4; ++j) {
    for (Index c = 0; c < 8; ++c) k4[j * 8 + c] = k[j * 2 + c % 2];
    for (Index c = 0; c < 12; ++c) v4[j * 12 + c] = v[j * 3 + c % 3];
  }
  const Pass mqa = run(q, k, v, options(4, 1), true);
  const Pass mha = run(q, k4, v4, options(4, 4), true);
  expect_near(mqa.output, mha.output, 1e-14);
  expect_near(mqa.weights, mha.weights, 1e-14);
}

TEST(Attention, ChangingATokenChangesNothingBeforeIt) {
  const auto q = randn({1, 80, 4}, 1);
  auto k = randn({1, 80, 4}, 2), v = randn({1, 80, 4}, 3);
  const Pass before = run(q, k, v, options(2, 2, Mask::causal()), false);
  constexpr Index kChanged = 50;
  for (Index c = 0; c < 4; ++c) k[kChanged * 4 + c] = v[kChanged * 4 + c] = 7.0;
  const Pass after = run(q, k, v, options(2, 2, Mask::causal()), false);
  for (Index i = 0; i < kChanged * 4; ++i) ASSERT_EQ(after.output[i], before.output[i]);
  EXPECT_NE(after.output[kChanged * 4], before.output[kChanged * 4]);
}

TEST(Attention, ErrorsNameTheShapes) {
  Tape<double> tape;
  const auto var = [&](const Shape& s) { return tape.leaf(Tensor<double>(s)); };
  const auto call = [&](const Shape& q, const Shape& k, const Shape& v, AttentionOptions o) {
    return [=] { attention(var(q), var(k), var(v), o); };
  };
  expect_error<ShapeError>(call({2, 4}, {1, 2, 4}, {1, 2, 4}, options(1, 1)),
                           "q has shape \\(2, 4\\)");
  expect_error<ShapeError>(call({1, 2, 4}, {2, 2, 4}, {1, 2, 4}, options(1, 1)), "batch sizes");
  expect_error<ShapeError>(call({1, 2, 4}, {1, 2, 4}, {1, 3, 4}, options(1, 1)), "as many values");
  expect_error<ShapeError>(call({1, 2, 4}, {1, 2, 4}, {1, 2, 4}, options(4, 3)),
                           "4 heads and 3 kv");
  expect_error<ShapeError>(call({1, 2, 4}, {1, 2, 3}, {1, 2, 4}, options(1, 1)),
                           "\\(1, 2, 3\\).*width of a head");
  expect_error<ShapeError>(
      call({1, 2, 4}, {1, 2, 4}, {1, 2, 4}, options(1, 1, Mask::key_lengths({1, 1}))),
      "key lengths for 2 batch entries, the input 1");
  expect_error<ShapeError>(
      call({1, 2, 4}, {1, 2, 4}, {1, 2, 4}, options(1, 1, Mask::key_lengths({3}))),
      "key length of 3, but there are 2 keys");
  expect_error<ShapeError>(call({1, 2, 4}, {1, 2, 4}, {1, 2, 4},
                                options(1, 1, Mask::may_attend(Tensor<std::uint8_t>({3, 2})))),
                           "mask has shape \\(1, 1, 3, 2\\), the scores .* \\(1, 1, 2, 2\\)");
  expect_error<ValueError>(
      [] {
        Mask::additive(Tensor<double>({1, 2}, {0, kNan}));
      },
      "nan at \\(0, 1\\)");
  expect_error<ValueError>([] { Mask::key_lengths({2, -1}); }, "-1 of batch entry 1");
}

}  // namespace
}  // namespace tapehead
