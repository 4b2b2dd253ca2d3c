#include "train/config/build_task.h"

#include "tests/support/expect.h"

namespace tapehead {
namespace {

// A copy task of length 3: "a b c >" and the answer; the layouts differ in what follows '>'.
TEST(BuildTask, TakesDifficultyAndLayoutFromTheConfiguration) {
  Config config;
  config.task = {.name = "copy", .length = 3, .symbols = 10, .held_out = 17};
  const auto causal = build_task(config);
  EXPECT_EQ(causal->name(), "copy");
  EXPECT_EQ(causal->held_out_rows(), 17);
  config.model.kind = ModelKind::kEncoder;
  const auto parallel = build_task(config);
  Batch batch;
  // A decoder is asked at '>' for the first symbol of the answer, an encoder is not.
  causal->held_out_batch(0, 1, batch);
  EXPECT_NE(batch.targets[3], kIgnoreTarget);
  parallel->held_out_batch(0, 1, batch);
  EXPECT_EQ(batch.targets[3], kIgnoreTarget);
}

TEST(BuildTask, CompletingTwiceChangesNothingMore) {
  Config config;
  config.task.name = "addition";
  complete_task(config);
  EXPECT_GT(config.task.digits, 0);
  const Config once = config;
  complete_task(config);
  EXPECT_EQ(config, once);
}

TEST(BuildTask, RefusesKeysOfOtherTasks) {
  Config config;
  config.task.pairs = 4;
  testing::expect_error<ValueError>([&] { build_task(config); }, "task copy has no key 'pairs'");
  config.task = {.reversed = false};
  testing::expect_error<ValueError>([&] { complete_task(config); }, "has no key 'reversed'");
}

}  // namespace
}  // namespace tapehead
