#include "studies/head_measures.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "layers/transformer.h"
#include "tests/support/expect.h"
#include "tests/support/tiny_run.h"
#include "train/config/build_task.h"

namespace tapehead {
namespace {

constexpr Index kWords = 6, kLength = 6;

// The induction head of tests/layers/hand_set_weights_test.cpp, in float: layer 1 looks at the
// position before and notes its token, layer 2 asks who had its own token before himself. Width:
// token, position, who was before.
struct InductionModel {
  static constexpr Index kPosition = kWords, kBefore = kPosition + kLength;
  static constexpr float kSharp = 1e4F;
  ParameterStore<float> store;
  Transformer<float> net;

  InductionModel() : net(Builder<float>(store, 1), config()) {
    for (const auto& p : store.parameters()) {
      if (p.name().find("norm") == std::string::npos) p.value().fill(0);
    }
    put("token.weight", 0, 0, kWords, 1);
    put("position.weight", 0, kPosition, kLength, 1);
    put("blocks.0.attention.fc_q.weight", 0, kPosition + 1, kLength - 1, kSharp);
    put("blocks.0.attention.fc_k.weight", 0, kPosition, kLength, 1);
    put("blocks.0.attention.fc_v.weight", 0, 0, kWords, 1);
    put("blocks.0.attention.fc_o.weight", kBefore, 0, kWords, 1);
    put("blocks.1.attention.fc_q.weight", 0, 0, kWords, kSharp);
    put("blocks.1.attention.fc_k.weight", 0, kBefore, kWords, 1);
  }

  static TransformerConfig config() {
    TransformerConfig c;
    c.vocabulary = kWords;
    c.length = kLength;
    c.layers = 2;
    c.block.d_model = kBefore + kWords;
    c.block.d_ff = 1;
    c.block.norm_kind = NormKind::kRms;
    return c;
  }

  // The number at (row + i, column + i), i < n.
  void put(const std::string& name, Index row, Index column, Index n, float number) {
    Tensor<float> value = store.find(name).value();
    for (Index i = 0; i < n; ++i) value[(row + i) * value.dim(1) + column + i] = number;
  }
};

void fill_with(const std::vector<TokenId>& tokens, Batch& batch) {
  batch.resize(1, static_cast<Index>(tokens.size()));
  batch.inputs = tokens;
}

TEST(MeasureHeads, FindsAnInductionHeadWhoseWeightsWereSetByHand) {
  const InductionModel model;
  const auto measured = measure_heads(
      model.net, kWords, kWords, 2,
      [](Index row, Batch& batch) {
        fill_with(row == 0 ? std::vector<TokenId>{4, 1, 2, 4, 1, 2}
                           : std::vector<TokenId>{5, 0, 3, 5, 0, 3},
                  batch);
      },
      [] {});
  ASSERT_EQ(measured.heads.size(), 2U);
  // All but the first position see the one before them, and nothing else.
  EXPECT_EQ(measured.heads[0].previous.mean, 5.0 / 6);
  EXPECT_EQ(measured.heads[0].previous.se, 0);
  EXPECT_NEAR(measured.heads[0].distance.mean, 5.0 / 6, 1e-6);
  EXPECT_NEAR(measured.heads[0].entropy.mean, 0, 1e-6);
  // The three that come again see the one behind their first time. The first position saw nobody
  // before it and noted itself, so that the fourth divides its attention between both.
  EXPECT_NEAR(measured.heads[1].induction.mean, 2.5 / 6, 1e-6);
  EXPECT_EQ(measured.largest.induction, 0.5);
  EXPECT_EQ(measured.largest.previous, 5.0 / 6);
}

TEST(MeasureHeads, NamesTheTokenThatGetsMost) {
  const InductionModel model;
  const auto measured = measure_heads(
      model.net, kWords, kWords, 1,
      [](Index, Batch& batch) {
        fill_with({3, 3, 3, 1, 0}, batch);
      },
      [] {});
  // Layer 1 sees, position by position: 3 (itself), 3, 3, 3, 1.
  EXPECT_EQ(measured.heads[0].top_token, 3);
  EXPECT_NEAR(measured.heads[0].top_share.mean, 0.8, 1e-6);
}

TEST(MeasureHeads, CellsHoldThemToTheBit) {
  const InductionModel model;
  const auto measured = measure_heads(
      model.net, kWords, kWords, 2,
      [](Index, Batch& batch) {
        fill_with({3, 1, 3, 1, 0}, batch);
      },
      [] {});
  const auto again = measured_heads_from(to_numbers(measured));
  ASSERT_EQ(again.heads.size(), 2U);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(again.heads[i].top_token, measured.heads[i].top_token);
    EXPECT_EQ(again.heads[i].top_share, measured.heads[i].top_share);
    EXPECT_EQ(again.heads[i].induction, measured.heads[i].induction);
    EXPECT_EQ(again.heads[i].distance, measured.heads[i].distance);
  }
  EXPECT_EQ(again.largest.duplicate, measured.largest.duplicate);
  EXPECT_TRUE(std::isnan(again.largest_of_source.previous));  // there is no source
}

TEST(MeasureHeads, AsksWhetherToStop) {
  const InductionModel model;
  Index asked = 0;
  EXPECT_ANY_THROW(measure_heads(
      model.net, kWords, kWords, 9,
      [](Index, Batch& batch) {
        fill_with({3, 1}, batch);
      },
      [&asked] {
        if (++asked == 3) throw std::runtime_error("stop");
      }));
  EXPECT_EQ(asked, 3);
}

TEST(FillRepeated, GivesDifferentTokensTwice) {
  const auto task = build_task(testing::tiny_run());
  ASSERT_TRUE(can_repeat(*task));
  Batch batch;
  std::set<std::vector<TokenId>> rows;
  for (Index row = 0; row < 8; ++row) {
    fill_repeated(*task, row, batch);
    const auto half = batch.inputs.size() / 2;
    EXPECT_EQ(batch.length, static_cast<Index>(2 * half));
    EXPECT_LE(batch.length, task->length());
    const std::set<TokenId> once(batch.inputs.begin(), batch.inputs.begin() + batch.length / 2);
    EXPECT_EQ(once.size(), half);
    EXPECT_TRUE(std::equal(batch.inputs.begin(), batch.inputs.begin() + batch.length / 2,
                           batch.inputs.begin() + batch.length / 2));
    rows.insert(batch.inputs);
  }
  EXPECT_GT(rows.size(), 1U);
  EXPECT_FALSE(can_repeat(*build_task(resolve_config({.settings = {{"task.name=regression"}}}))));
}

}  // namespace
}  // namespace tapehead
