#include "train/config/trunk_config.h"

#include <gtest/gtest.h>

namespace tapehead {
namespace {

TEST(TrunkConfig, SizesKeepTheirNames) {
  const TrunkConfig c = trunk_config({.d_model = 96, .layers = 3, .heads = 6, .kv_heads = 2});
  EXPECT_EQ(c.layers, 3);
  EXPECT_EQ(c.block.d_model, 96);
  EXPECT_EQ(c.block.heads, 6);
  EXPECT_EQ(c.block.kv_heads, 2);
  EXPECT_EQ(c.block.d_ff, 4 * 96);
  EXPECT_EQ(c.block.self_attention().d_k, 16);
  EXPECT_EQ(c.block.self_attention().query_width, 96);
}

TEST(TrunkConfig, OnlyADecoderAloneIsCausalThroughout) {
  EXPECT_TRUE(trunk_config({.kind = ModelKind::kDecoder}).causal);
  EXPECT_FALSE(trunk_config({.kind = ModelKind::kEncoder}).causal);
  EXPECT_FALSE(trunk_config({.kind = ModelKind::kEncoderDecoder}).causal);
}

TEST(TrunkConfig, AdditiveScoresDoNotGrowWithTheHead) {
  using Kind = AttentionScale::Kind;
  const auto scale = [](AttentionScores scores, AttentionScale given) {
    return trunk_config({.attention = scores, .scale = given}).block.scale;
  };
  EXPECT_EQ(scale(AttentionScores::kDot, {}).kind, Kind::kInvSqrt);
  EXPECT_EQ(scale(AttentionScores::kAdditive, {}).kind, Kind::kNone);
  EXPECT_EQ(scale(AttentionScores::kAdditive, {Kind::kLearned}).kind, Kind::kLearned);
}

}  // namespace
}  // namespace tapehead
