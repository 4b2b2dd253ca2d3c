#include "layers/attention_config.h"

#include <utility>

#include "layers/transformer_trunk.h"
#include "tests/support/expect.h"

namespace tapehead {
namespace {

using Pairs = std::vector<std::pair<AttentionOption, AttentionOption>>;

Pairs pairs_of(const std::vector<AttentionConflict>& conflicts) {
  Pairs pairs;
  for (const AttentionConflict& c : conflicts) pairs.emplace_back(c.option, c.other);
  return pairs;
}

TrunkConfig trunk(Index d_model = 8, Index heads = 4) {
  TrunkConfig c;
  c.length = 4;
  c.block.d_model = d_model;
  c.block.heads = heads;
  c.block.d_ff = 8;
  return c;
}

TEST(AttentionConflicts, NoneWhereAllGoesTogether) {
  EXPECT_TRUE(trunk().conflicts().empty());
  TrunkConfig odd = trunk(10, 3);
  odd.block.head_dim = 5;
  EXPECT_TRUE(odd.conflicts().empty());
  odd.position = PositionKind::kHardAlibi;
  odd.causal = false;
  EXPECT_TRUE(odd.conflicts().empty());
}

TEST(AttentionConflicts, NameTheOptionsThatCollide) {
  using enum AttentionOption;
  EXPECT_EQ(pairs_of(trunk(10, 3).conflicts()), (Pairs{{kHeads, kDModel}}));
  TrunkConfig c = trunk();
  c.block.kv_heads = 3;
  EXPECT_EQ(pairs_of(c.conflicts()), (Pairs{{kKvHeads, kHeads}}));
  c = trunk();
  c.block.kv_heads = 2;
  c.block.attention.share = SharedProjections::kQKV;
  EXPECT_EQ(pairs_of(c.conflicts()), (Pairs{{kShare, kKvHeads}}));
  c = trunk(12);
  c.position = PositionKind::kRope;
  EXPECT_EQ(pairs_of(c.conflicts()), (Pairs{{kHeadDim, kPosition}}));
  c = trunk(8, 2);
  c.position = PositionKind::kHardAlibi;
  EXPECT_TRUE(c.conflicts().empty());
  c.causal = false;
  EXPECT_EQ(pairs_of(c.conflicts()), (Pairs{{kHeads, kPosition}}));
  c = trunk();
  c.block.attention.qk_norm = true;
  c.block.scale.kind = AttentionScale::Kind::kSqrt;
  EXPECT_EQ(pairs_of(c.conflicts()), (Pairs{{kScale, kQkNorm}}));
}

// All at once: whoever mends one sees the others too.
TEST(AttentionConflicts, AreAllFound) {
  using enum AttentionOption;
  TrunkConfig c = trunk(12);
  c.position = PositionKind::kRopeHalves;
  c.block.scale.kind = AttentionScale::Kind::kLogLength;
  c.block.attention.scores = AttentionScores::kAdditive;
  c.block.attention.qk_norm = true;
  EXPECT_EQ(
      pairs_of(c.conflicts()),
      (Pairs{{kHeadDim, kPosition}, {kPosition, kScores}, {kQkNorm, kScores}, {kScale, kScores}}));
}

// The configuration's checks rest on this: a trunk without conflicts can be built, one with them
// cannot.
TEST(AttentionConflicts, AreWhatTheLayersRefuse) {
  for (int choice = 0; choice < 2 * 2 * 2 * 5 * 4 * 10; ++choice) {
    int rest = choice;
    const auto draw = [&rest](int count) { return std::exchange(rest, rest / count) % count; };
    TrunkConfig c = trunk(12, draw(2) == 0 ? 2 : 4);
    c.causal = draw(2) == 0;
    c.block.attention.qk_norm = draw(2) == 0;
    c.block.scale.kind = static_cast<AttentionScale::Kind>(draw(5));
    c.block.attention.share = static_cast<SharedProjections>(draw(4));
    c.position = static_cast<PositionKind>(draw(10));
    c.block.kv_heads = choice % 3 == 0 ? 1 : 0;
    c.block.attention.scores = choice % 7 < 3 ? AttentionScores::kAdditive : AttentionScores::kDot;
    ParameterStore<float> store;
    const Builder<float> root(store, 1);
    if (c.conflicts().empty()) {
      EXPECT_NO_THROW(TransformerTrunk<float>(root, c)) << choice;
    } else {
      EXPECT_THROW(TransformerTrunk<float>(root, c), ValueError) << choice;
    }
  }
}

}  // namespace
}  // namespace tapehead
