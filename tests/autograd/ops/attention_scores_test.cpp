// attention_scores(): what the attention ops give to softmax.

#include <cmath>

#include "autograd/gradcheck.h"
#include "autograd/ops/additive_attention.h"
#include "autograd/ops/attention.h"
#include "tests/support/expect.h"

namespace tapehead {
namespace {

AttentionOptions score_options(Index heads, Index kv_heads, Mask mask = {}) {
  AttentionOptions o;
  o.heads = heads;
  o.kv_heads = kv_heads;
  o.mask = std::move(mask);
  return o;
}

TEST(AttentionScores, AreScaledProductsWithMinusInfinityWhereMasked) {
  // 70 queries: more than one block of the kernel. Two query heads share one key head.
  const Index n = 70, d = 3;
  const auto q = randn({1, n, 2 * d}, 1), k = randn({1, n, d}, 2);
  AttentionOptions o = score_options(2, 1, Mask::causal());
  o.scale = 0.7;
  Tape<double> tape;
  const Tensor<double> scores = attention_scores(tape.leaf(q), tape.leaf(k), {}, o);
  ASSERT_EQ(scores.shape(), (Shape{1, 2, n, n}));
  for (Index h = 0; h < 2; ++h) {
    for (Index i = 0; i < n; ++i) {
      for (Index j = 0; j < n; ++j) {
        double expected = 0;
        for (Index c = 0; c < d; ++c) expected += 0.7 * q[i * 2 * d + h * d + c] * k[j * d + c];
        if (j > i) expected = -testing::kInf;
        const double score = scores[(h * n + i) * n + j];
        ASSERT_TRUE(score == expected || std::abs(score - expected) < 1e-13) << i << ", " << j;
      }
    }
  }
}

TEST(AttentionScores, RecordNothing) {
  Tape<double> tape;
  const auto q = tape.leaf(randn({1, 2, 2}, 1), true), k = tape.leaf(randn({1, 3, 2}, 2), true);
  attention_scores(q, k, {}, score_options(1, 1));
  EXPECT_EQ(tape.count(Op::attention), 0);
}

// Softmax of the scores is the weights: ln p_i - ln p_j = s_i - s_j for all keys that are seen, and
// p = 0 for the others.
void expect_scores_of(const Tensor<double>& scores, const Tensor<double>& weights) {
  ASSERT_EQ(scores.shape(), weights.shape());
  const Index n = scores.dim(3);
  for (Index row = 0; row < scores.size() / n; ++row) {
    double largest = -testing::kInf, sum = 0;
    for (Index j = row * n; j < (row + 1) * n; ++j) largest = std::max(largest, scores[j]);
    if (std::isinf(largest)) continue;  // sees nothing
    for (Index j = row * n; j < (row + 1) * n; ++j) sum += std::exp(scores[j] - largest);
    for (Index j = row * n; j < (row + 1) * n; ++j) {
      ASSERT_NEAR(weights[j], std::exp(scores[j] - largest) / sum, 1e-14) << row << ", " << j;
    }
  }
}

TEST(AttentionScores, OfEveryKindLeadToTheWeights) {
  const auto q = randn({2, 5, 4}, 1, 2.0), k = randn({2, 7, 4}, 2, 2.0), v = randn({2, 7, 4}, 3);
  const auto w = randn({2, 2}, 4);
  auto bias = randn({2, 11}, 5);
  bias[3] = -testing::kInf;  // hides one distance
  AttentionOptions o = score_options(2, 2, Mask::causal() & Mask::key_lengths({7, 4}));
  o.soft_cap = 1.5;
  Tape<double> tape;
  const auto vq = tape.leaf(q), vk = tape.leaf(k), vv = tape.leaf(v), vb = tape.leaf(bias);
  const auto vw = tape.leaf(w);
  expect_scores_of(attention_scores(vq, vk, {}, o, vb),
                   attention_with_weights(vq, vk, vv, o, vb).weights.value());
  expect_scores_of(attention_scores(vq, vk, vw, o, vb),
                   additive_attention_with_weights(vq, vk, vv, vw, o, vb).weights.value());
  expect_scores_of(attention_scores(vq, vk, {}, score_options(2, 2)),
                   attention_with_weights(vq, vk, vv, score_options(2, 2)).weights.value());
}

TEST(AttentionScores, ErrorsNameTheShapes) {
  Tape<double> tape;
  const auto q = tape.leaf(randn({1, 2, 4}, 1)), k = tape.leaf(randn({1, 3, 2}, 2));
  testing::expect_error<ShapeError>([&] { attention_scores(q, k, {}, score_options(1, 1)); },
                                    "attention: q has shape \\(1, 2, 4\\), k .*\\(1, 3, 2\\)");
}

}  // namespace
}  // namespace tapehead
