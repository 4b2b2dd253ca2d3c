// What attention layers can be told beside their sizes: other scores, positions, stabilisers,
// shared projections.

#include <algorithm>
#include <cmath>

#include "layers/attention.h"
#include "layers/positions.h"
#include "tests/layers/attention_traits.h"

namespace tapehead {
namespace {

using testing::expect_bits_equal;
using testing::expect_error;
using testing::expect_near;
using testing::LayerFixture;
using testing::self_attention;
using testing::with_rotary;
using testing::with_traits;

// --- Scores --------------------------------------------------------------------------------------

TEST(AttentionTraits, AdditiveScoresAreOfProjectedQueriesAndKeys) {
  LayerFixture f;
  AttentionConfig c = with_traits({.scores = AttentionScores::kAdditive}, 2, 1);
  c.scale.kind = AttentionScale::Kind::kNone;
  const MultiHeadAttention<double> layer(f.root / "a", c);
  const auto x = f.input({1, 3, 8}, 1);
  const auto r = layer.forward_with_weights(x, x, x, Mask::causal());
  const auto project = [&](const std::string& fc, Index row, Index t) {
    double sum = f.value("a." + fc + ".bias")[row];
    for (Index i = 0; i < 8; ++i)
      sum += f.value("a." + fc + ".weight")[row * 8 + i] * x.value()[t * 8 + i];
    return sum;
  };
  // Query 1 of head 1 sees keys 0 and 1; the heads, of width 4, share one key head.
  double score[2] = {0, 0};
  for (Index j = 0; j < 2; ++j) {
    for (Index i = 0; i < 4; ++i) {
      score[j] += f.value("a.score.weight")[4 + i] *
                  std::tanh(project("fc_q", 4 + i, 1) + project("fc_k", i, j));
    }
  }
  EXPECT_NEAR(r.weights.value()[(1 * 3 + 1) * 3], 1 / (1 + std::exp(score[1] - score[0])), 1e-14);
}

TEST(AttentionTraits, ALearnedScaleOfAdditiveScoresMultipliesThem) {
  AttentionConfig c = with_traits({.scores = AttentionScores::kAdditive});
  const auto x = randn({2, 4, 8}, 1);
  c.scale.kind = AttentionScale::Kind::kLearned;
  const auto learned = self_attention(c, x);
  c.scale.kind = AttentionScale::Kind::kInvSqrt;
  expect_near(learned.weights, self_attention(c, x).weights, 1e-14);
}

// --- Stabilisers ---------------------------------------------------------------------------------

TEST(AttentionTraits, NormedQueriesAndKeysDoNotFeelTheSizeOfTheInput) {
  AttentionConfig c = with_traits({.qk_norm = true});
  c.bias = false;
  const auto x = randn({1, 5, 8}, 1);
  Tensor<double> large = x.clone();
  for (Index i = 0; i < x.size(); ++i) large[i] *= 100;
  // To the norm's eps, 1e-6 beside a mean square of 0.1 or more.
  expect_near(self_attention(c, large).weights, self_attention(c, x).weights, 1e-3);
}

TEST(AttentionTraits, NormedScoresAreTheScaleTimesACosine) {
  // With a query equal to a key and the scale g: scores lie in [-g, g], that of the key itself is
  // g.
  LayerFixture f;
  AttentionConfig c = with_traits({.qk_norm = true}, 1);
  c.bias = false;
  const MultiHeadAttention<double> layer(f.root / "a", c);
  EXPECT_EQ(f.value("a.scale").item(), std::log2(16.0 * 16.0 - 16.0));  // Henry et al. 2020
  f.set("a.scale", Tensor<double>::scalar(3));
  f.set("a.fc_k.weight", f.value("a.fc_q.weight").clone());
  const auto x = f.tape.leaf({{1, 2, 8}, {5, 1, 2, 0, 1, 3, 1, 1, -5, -1, -2, 0, -1, -3, -1, -1}});
  const auto p = layer.forward_with_weights(x, x, x).weights.value();
  EXPECT_NEAR(std::log(p[0] / p[1]), 6.0, 1e-4);  // 3 - (-3)
  c.scale = {AttentionScale::Kind::kNumber, 2.0};
  LayerFixture g;
  const MultiHeadAttention<double> fixed(g.root / "a", c);
  EXPECT_FALSE(g.store.contains("a.scale"));
}

TEST(AttentionTraits, LogLengthScalesEachQueryByTheKeysThatItCanSee) {
  AttentionConfig c = with_traits({});
  c.bias = false;
  const auto x = randn({2, 6, 8}, 1);
  c.scale.kind = AttentionScale::Kind::kLogLength;
  const Mask masks[] = {Mask::causal(), Mask::none(), Mask::key_lengths({6, 3})};
  for (const Mask& mask : masks) {
    const auto p = self_attention(c, x, mask).weights;
    for (Index n = 1; n <= 6; ++n) {
      AttentionConfig fixed = c;
      fixed.scale = {AttentionScale::Kind::kNumber, std::log(static_cast<double>(n)) / 2};
      const auto q = self_attention(fixed, x, mask).weights;
      for (Index row = 0; row < 24; ++row) {
        if (mask.view().visible_end(row / 12, row % 6, 6, 6) != n) continue;
        for (Index j = 0; j < 6; ++j) EXPECT_NEAR(p[row * 6 + j], q[row * 6 + j], 1e-14);
      }
    }
  }
}

TEST(AttentionTraits, SoftCapBoundsTheScores) {
  AttentionConfig c = with_traits({.soft_cap = 0.5});
  c.scale = {AttentionScale::Kind::kNumber, 100};
  const auto p = self_attention(c, randn({1, 4, 8}, 1)).weights;
  for (Index row = 0; row < 8; ++row) {
    for (Index j = 0; j < 4; ++j) {
      EXPECT_LE(std::abs(std::log(p[row * 4 + j] / p[row * 4])), 1.0 + 1e-12);  // 0.5 - (-0.5)
    }
  }
  AttentionConfig high = with_traits({.soft_cap = 1e6});
  expect_near(self_attention(high, randn({1, 4, 8}, 1)).output,
              self_attention(with_traits({}), randn({1, 4, 8}, 1)).output, 1e-11);
}

TEST(AttentionTraits, ReparametrisedProjectionsDoNotFeelTheSizeOfTheirWeights) {
  LayerFixture f;
  const MultiHeadAttention<double> layer(f.root / "a", with_traits({.sigma_reparam = true}));
  const auto x = f.input({1, 4, 8}, 1);
  const auto before = layer.forward(x, x, x).value();
  for (const char* name : {"a.fc_q.weight", "a.fc_k.weight", "a.fc_v.weight", "a.fc_o.weight"}) {
    Tensor<double> larger = f.value(name).clone();
    for (Index i = 0; i < larger.size(); ++i) larger[i] *= 7;
    f.set(name, larger);
  }
  f.tape.clear();
  const auto y = f.input({1, 4, 8}, 1);
  expect_near(layer.forward(y, y, y).value(), before, 1e-12);
  EXPECT_EQ(f.value("a.fc_q.gamma").item(), 1.0);
}

// --- Positions -----------------------------------------------------------------------------------

TEST(AttentionTraits, RotaryWeightsDependOnDistanceAlone) {
  // The same token everywhere: then only the distance counts.
  Tensor<double> x({1, 6, 8});
  const auto token = randn({8}, 1);
  for (Index t = 0; t < 6; ++t) std::copy_n(token.data(), 8, x.data() + t * 8);
  for (const Rotary rotary : {Rotary::kNeighbours, Rotary::kHalves}) {
    const auto p = self_attention(with_rotary(rotary), x).weights;
    // exp(score(i, j) - score(i, i)) is the same along a diagonal.
    const auto relative = [&](Index i, Index j) { return p[i * 6 + j] / p[i * 6 + i]; };
    for (Index i = 1; i < 6; ++i) EXPECT_NEAR(relative(i, i - 1), relative(1, 0), 1e-13);
    EXPECT_GT(std::abs(relative(3, 1) - relative(3, 2)), 1e-3);
  }
}

TEST(AttentionTraits, RotaryPositionsWorkPastTheExpectedLength) {
  const auto x = randn({1, 40, 8}, 1);
  AttentionConfig shorter = with_rotary(Rotary::kNeighbours), longer = shorter;
  longer.length = 64;
  expect_bits_equal(self_attention(shorter, x).output, self_attention(longer, x).output);
}

// --- Sharing -------------------------------------------------------------------------------------

TEST(AttentionTraits, SharedProjectionsEqualCopies) {
  // A layer that shares, against one whose weights are equal.
  struct Case {
    SharedProjections share;
    Index heads, kv_heads;
    std::vector<std::pair<std::string, std::string>> copies;  // to, from
  };
  const std::vector<Case> cases = {
      {SharedProjections::kQK, 2, 2, {{"fc_k", "fc_q"}, {"fc_v", "fc_v"}}},
      {SharedProjections::kKV, 2, 2, {{"fc_k", "fc_k"}, {"fc_v", "fc_k"}}},
      {SharedProjections::kKV, 4, 1, {{"fc_k", "fc_k"}, {"fc_v", "fc_k"}}},
      {SharedProjections::kQKV, 1, 1, {{"fc_k", "fc_q"}, {"fc_v", "fc_q"}}},
      {SharedProjections::kQKV, 4, 4, {{"fc_k", "fc_q"}, {"fc_v", "fc_q"}}}};
  for (const Case& c : cases) {
    LayerFixture shared, apart;
    const MultiHeadAttention<double> one(shared.root / "a",
                                         with_traits({.share = c.share}, c.heads, c.kv_heads));
    const MultiHeadAttention<double> three(apart.root / "a", with_traits({}, c.heads, c.kv_heads));
    EXPECT_LT(shared.store.parameter_count(), apart.store.parameter_count());
    for (const std::string part : {".weight", ".bias"}) {
      apart.set("a.fc_q" + part, shared.value("a.fc_q" + part));
      apart.set("a.fc_o" + part, shared.value("a.fc_o" + part));
      for (const auto& [to, from] : c.copies) {
        apart.set("a." + to + part, shared.value("a." + from + part));
      }
    }
    // Also with other inputs for keys than for queries, and a key that nobody sees.
    const Mask mask = Mask::key_lengths({5, 3});
    const auto q = randn({2, 5, 8}, 1), k = randn({2, 5, 8}, 2);
    const auto run = [&](LayerFixture& f, const MultiHeadAttention<double>& layer) {
      const auto vq = f.tape.leaf(q), vk = f.tape.leaf(k);
      return std::pair(layer.forward(vq, vk, vk, mask).value(),
                       layer.forward(vq, vq, vq, Mask::causal()).value());
    };
    const auto a = run(shared, one), b = run(apart, three);
    expect_near(a.first, b.first, 1e-14);
    expect_near(a.second, b.second, 1e-14);
  }
}

// --- Refusals
// -------------------------------------------------------------------------------------

TEST(AttentionTraits, ImpossibleCombinationsSayWhy) {
  const auto refused = [](const AttentionConfig& c, const std::string& regex) {
    LayerFixture f;
    expect_error<ValueError>([&] { MultiHeadAttention<double>(f.root / "a", c); }, "a: " + regex);
  };
  const AttentionTraits additive{.scores = AttentionScores::kAdditive};
  AttentionConfig turned = with_traits(additive);
  turned.rotary = Rotary::kHalves;
  refused(turned, "rotary positions, additive scores: .*choose dot-product attention");
  AttentionTraits t = additive;
  t.qk_norm = true;
  refused(with_traits(t), "qk_norm, additive scores: qk_norm is for dot products");
  AttentionConfig longer = with_traits(additive);
  longer.scale.kind = AttentionScale::Kind::kLogLength;
  refused(longer, "the log-length scale, additive scores: ");
  refused(with_traits({.share = SharedProjections::kQK}, 4, 2),
          "Q = K, 4 heads, 2 key/value heads: .*as many heads");
  refused(with_rotary(Rotary::kHalves, 8), "rotary positions, heads of width 1: .*must be even");
  refused(with_traits({.soft_cap = -1}), "the soft cap is -1");
  AttentionConfig c = with_traits({.qk_norm = true});
  c.scale.kind = AttentionScale::Kind::kSqrt;
  refused(c, "qk_norm and another scale: qk_norm learns the scale itself");
  c = with_traits({.share = SharedProjections::kKV});
  c.d_v = 3;
  refused(c, "K = V .*heads of 4, .*heads of 3");
  c = with_traits({});
  c.value_projection = false;
  c.d_v = 3;
  refused(c, ".*values of width 8 must be 2 kv heads of width 3");
}

}  // namespace
}  // namespace tapehead
