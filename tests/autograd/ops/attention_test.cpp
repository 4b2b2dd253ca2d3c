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
      o.soft_cap = 1.1;
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

TEST(Attention, GroupsOfOneEqualHeadsOnTheirOwnBitForBit) {
  // kv_heads = heads: each head alone, on its part of the widths, gives the same.
  const Index heads = 4, n = 70;
  const auto q = randn({2, n, 8}, 1), k = randn({2, n, 8}, 2), v = randn({2, n, 12}, 3);
  const auto part = [](const Tensor<double>& x, Index h) {
    const Index width = x.dim(2) / heads;
    Tensor<double> y({x.dim(0), x.dim(1), width});
    for (Index i = 0; i < y.size(); ++i) y[i] = x[i / width * x.dim(2) + h * width + i % width];
    return y;
  };
  const Pass grouped = run(q, k, v, options(heads, heads, Mask::causal()), true);
  for (Index h = 0; h < heads; ++h) {
    const Pass one = run(part(q, h), part(k, h), part(v, h), options(1, 1, Mask::causal()), true);
    expect_bits_equal(part(grouped.output, h), one.output);
    for (Index b = 0; b < 2; ++b) {
      expect_bits_equal(grouped.weights.view((b * heads + h) * n * n, {n, n}),
                        one.weights.view(b * n * n, {n, n}));
    }
  }
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

// Scores capped at 2, plus a bias of the distance, in plain loops from the formula.
double capped_and_biased_score(const Tensor<double>& q, const Tensor<double>& k,
                               const Tensor<double>& bias, Index i, Index j, Index n_q) {
  double s = 0;
  for (Index c = 0; c < 4; ++c) s += q[i * 4 + c] * k[j * 4 + c];
  return 2 * std::tanh(s / std::sqrt(4.0) / 2) + bias[j - i + n_q - 1];
}

TEST(Attention, SoftCapAndDistanceBiasMatchTheirFormula) {
  // 66 queries: more than one block; 70 keys.
  const Index n_q = 66, n_k = 70;
  const auto q = randn({1, n_q, 4}, 1, 2.0), k = randn({1, n_k, 4}, 2, 2.0);
  const auto v = randn({1, n_k, 2}, 3), bias = randn({1, n_q + n_k - 1}, 4);
  AttentionOptions o = options(1, 1);
  o.soft_cap = 2;
  Tape<double> tape;
  const auto weights =
      attention_with_weights(tape.leaf(q), tape.leaf(k), tape.leaf(v), o, tape.leaf(bias))
          .weights.value();
  for (Index i = 0; i < n_q; ++i) {
    double sum = 0;
    for (Index j = 0; j < n_k; ++j) {
      sum += std::exp(capped_and_biased_score(q, k, bias, i, j, n_q));
    }
    for (Index j = 0; j < n_k; ++j) {
      const double p = std::exp(capped_and_biased_score(q, k, bias, i, j, n_q)) / sum;
      ASSERT_NEAR(weights[i * n_k + j], p, 1e-13);
    }
  }
}

TEST(Attention, DistanceBiasOfMinusInfinityForbids) {
  // Distance 1 is forbidden, whatever the score: the key after the query is NaN.
  Tape<double> tape;
  const auto q = tape.leaf(randn({1, 1, 2}, 1));
  Tensor<double> k = randn({1, 2, 2}, 2);
  k[2] = kNan;
  const auto bias = tape.leaf({{1, 2}, {0, -std::numeric_limits<double>::infinity()}});
  const auto r =
      attention_with_weights(q, tape.leaf(k), tape.leaf(randn({1, 2, 2}, 3)), options(1, 1), bias);
  expect_bits_equal(r.weights.value(), {{1, 1, 1, 2}, {1, 0}});
}

TEST(Attention, GradientOfADistanceBiasIsTheSumOverItsDiagonal) {
  // The same numbers as an additive mask, whose gradient is that of the scores: by hand for the
  // weights' cotangent, d_s = p (dp - sum p dp).
  Tape<double> tape;
  const Index n = 3;
  const auto q = tape.leaf(randn({2, n, 4}, 1)), k = tape.leaf(randn({2, n, 4}, 2));
  const auto bias = tape.leaf(randn({2, 2 * n - 1}, 4), true);
  const auto r = attention_with_weights(q, k, q, options(2, 2), bias);
  const Tensor<double> dp = randn(r.weights.shape(), 5), p = r.weights.value();
  tape.backward(r.weights, dp);
  Tensor<double> expected({2, 2 * n - 1});
  for (Index row = 0; row < 2 * 2 * n; ++row) {
    double mean = 0;
    for (Index j = 0; j < n; ++j) mean += p[row * n + j] * dp[row * n + j];
    for (Index j = 0; j < n; ++j) {
      const Index h = row / n % 2, i = row % n;
      expected[h * (2 * n - 1) + j - i + n - 1] += p[row * n + j] * (dp[row * n + j] - mean);
    }
  }
  expect_near(bias.grad(), expected, 1e-14);
}

TEST(Attention, ADistanceBiasChangesNoBitWithThreadsOrMemory) {
  const auto q = randn({3, 70, 12}, 1), k = randn({3, 70, 6}, 2), v = randn({3, 70, 4}, 3);
  const auto pass = [&](bool keep, int threads) {
    AttentionOptions o = options(4, 2, Mask::causal());
    o.soft_cap = 1.5;
    o.keep_weights = keep;
    Tape<double> tape;
    tape.context().threads = threads;
    const auto vq = tape.leaf(q, true), bias = tape.leaf(randn({4, 139}, 4), true);
    const auto y = attention(vq, tape.leaf(k), tape.leaf(v), o, bias);
    tape.backward(y, randn(y.shape(), 5));
    return std::vector<Tensor<double>>{y.value(), vq.grad(), bias.grad()};
  };
  const auto serial = pass(true, 0);
  for (const auto& other : {pass(false, 0), pass(true, 1), pass(false, 3)}) {
    for (std::size_t i = 0; i < serial.size(); ++i) expect_bits_equal(other[i], serial[i]);
  }
}

TEST(Attention, ADistanceBiasKeepsMemoryLinear) {
  const auto peak = [](Index n) {
    AttentionOptions o = options(2, 2, Mask::causal());
    o.soft_cap = 3;
    o.keep_weights = false;
    Tape<double> tape;
    const auto x = tape.leaf(randn({1, n, 4}, 1), true),
               bias = tape.leaf(randn({2, 2 * n - 1}, 2), true);
    const auto y = attention(x, x, x, o, bias);
    tape.backward(y, randn(y.shape(), 3));
    return static_cast<double>(tape.pool().peak_bytes());
  };
  EXPECT_LT(peak(2048) / peak(512), 4 * 1.3);  // 16 if there were n * n numbers
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
  AttentionOptions negative = options(1, 1);
  negative.soft_cap = -3;
  expect_error<ValueError>(call({1, 2, 4}, {1, 2, 4}, {1, 2, 4}, negative), "soft_cap is -3");
  expect_error<ShapeError>(
      [&] {
        attention(var({1, 2, 4}), var({1, 3, 4}), var({1, 3, 4}), options(1, 1), var({1, 5}));
      },
      "distance_bias has shape \\(1, 5\\).*\\(1, 4\\)");
}

}  // namespace
}  // namespace tapehead
