#include "analysis/head_patterns.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace tapehead {
namespace {

const std::vector<TokenId> kAbab = {0, 1, 0, 1};

HeadAttention attention_of(const std::vector<float>& weights, const std::vector<TokenId>& tokens) {
  const auto n = static_cast<Index>(tokens.size());
  return {weights.data(), n, n, tokens, tokens, false};
}

TEST(PatternShares, OfWeightsSetByHand) {
  // Each number stands for one kind of key: of "a b a b", (1,0), (2,1), (3,2) are previous ones,
  // (2,0), (3,1) duplicates, and induction keys, behind an earlier equal token, are (2,1), (3,2).
  const std::vector<float> weights = {1,     0,      0,      0,  //
                                      0.75F, 0.25F,  0,      0,  //
                                      0.5F,  0.125F, 0.375F, 0,  //
                                      0,     0.25F,  0.5F,   0.25F};
  const PatternShares shares = pattern_shares(attention_of(weights, kAbab));
  EXPECT_EQ(shares.previous, (0.75 + 0.125 + 0.5) / 4);
  EXPECT_EQ(shares.duplicate, (0.5 + 0.25) / 4);
  EXPECT_EQ(shares.induction, (0.125 + 0.5) / 4);
}

TEST(PatternShares, CountKeysBehindEveryEarlierEqualToken) {
  // "a a a": the key behind an earlier a may be the query itself.
  const std::vector<float> uniform = {1, 0, 0, 0.5F, 0.5F, 0, 0.25F, 0.25F, 0.5F};
  const PatternShares shares = pattern_shares(attention_of(uniform, {7, 7, 7}));
  EXPECT_EQ(shares.duplicate, (0.5 + 0.25 + 0.25) / 3);
  EXPECT_EQ(shares.induction, (0.5 + 0.25 + 0.5) / 3);
}

TEST(PatternShares, HaveNoMeaningAcrossSequencesOrForNumbers) {
  const std::vector<float> weights = {1, 0, 0.5F, 0.5F};
  HeadAttention cross{weights.data(), 2, 2, kAbab, kAbab, true};
  EXPECT_TRUE(std::isnan(pattern_shares(cross).previous));
  EXPECT_TRUE(std::isnan(attention_shape(cross).distance));
  const HeadAttention numbers{weights.data(), 2, 2, {}, {}, false};
  EXPECT_EQ(pattern_shares(numbers).previous, 0.25);
  EXPECT_TRUE(std::isnan(pattern_shares(numbers).duplicate));
  EXPECT_TRUE(std::isnan(pattern_shares(numbers).induction));
}

TEST(PatternShares, OfPaddingAreLeftOut) {
  const std::vector<TokenId> padded = {3, 3, kPadToken};
  const std::vector<float> weights = {0.5F, 0.5F, 0, 0.5F, 0.5F, 0, 0.5F, 0.5F, 0};
  const HeadAttention a = attention_of(weights, padded);
  EXPECT_EQ(pattern_shares(a).previous, 0.25);
  EXPECT_EQ(attention_shape(a).first, 0.5);
  std::vector<double> mass(4);
  add_token_mass(a, mass);
  EXPECT_EQ(mass, (std::vector<double>{0, 0, 0, 2}));
}

TEST(PatternShares, LargestAreTheQueriesThatHaveSuchAKey) {
  const PatternShares largest = largest_shares(kAbab, 4);
  EXPECT_EQ(largest.previous, 0.75);
  EXPECT_EQ(largest.duplicate, 0.5);
  EXPECT_EQ(largest.induction, 0.5);
  EXPECT_EQ(largest_shares({}, 5).previous, 0.8);
  EXPECT_TRUE(std::isnan(largest_shares({}, 5).induction));
}

TEST(AttentionShape, OfUniformAndSharpRows) {
  // Query i of a causal row with even weights: entropy log(i + 1), distance i / 2.
  std::vector<float> even(16);
  double entropy = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j <= i; ++j) even[4 * i + j] = 1.0F / static_cast<float>(i + 1);
    entropy += std::log(static_cast<double>(i + 1)) / 4;
  }
  const AttentionShape shape = attention_shape(attention_of(even, kAbab));
  EXPECT_NEAR(shape.entropy, entropy, 1e-7);
  EXPECT_NEAR(shape.distance, (0 + 0.5 + 1 + 1.5) / 4, 1e-7);
  EXPECT_NEAR(shape.first, (1 + 1 / 2.0 + 1 / 3.0 + 1 / 4.0) / 4, 1e-7);
  const std::vector<float> itself = {1, 0, 0, 1};
  EXPECT_EQ(attention_shape(attention_of(itself, {5, 6})).entropy, 0);
}

TEST(AttentionShape, LeavesOutQueriesThatSeeNothing) {
  const std::vector<float> weights = {0, 0, 0.5F, 0.5F};
  EXPECT_EQ(attention_shape(attention_of(weights, {1, 2})).first, 0.5);
}

}  // namespace
}  // namespace tapehead
