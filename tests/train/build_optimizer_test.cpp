#include "train/build_optimizer.h"

#include "tests/support/expect.h"
#include "train/config/words.h"

namespace tapehead {
namespace {

// One parameter of each kind that matters, each 1.
class BuildOptimizer : public ::testing::Test {
 protected:
  BuildOptimizer() {
    const auto one = [](std::span<double> out) { out[0] = 1; };
    store_.add("weight", {1}, ParameterKind::kWeight, one);
    store_.add("bias", {1}, ParameterKind::kBias, one);
    store_.add("embedding", {1}, ParameterKind::kEmbedding, one);
  }

  // The parameters after one step of size 0.5 with gradient 1.
  std::vector<double> after_a_step(const OptimizerConfig& config) {
    const auto optimizer = build_optimizer(config, store_);
    EXPECT_EQ(optimizer->name(), name_of(config.name));
    Tensor<double> gradients = store_.make_buffer();
    for (const auto& p : store_.parameters()) store_.part(gradients, p).fill(1);
    optimizer->step(store_.values(), gradients, 0.5);
    std::vector<double> values;
    for (const auto& p : store_.parameters()) values.push_back(p.value()[0]);
    return values;
  }

  ParameterStore<double> store_;
};

TEST_F(BuildOptimizer, Sgd) {
  // 1 - 0.5 (1 + 0.25); without decay 1 - 0.5.
  EXPECT_EQ(after_a_step({.name = OptimizerKind::kSgd, .weight_decay = 0.25, .decay_all = false}),
            (std::vector<double>{0.375, 0.5, 0.5}));
}

TEST_F(BuildOptimizer, SgdNesterov) {
  // 1 - 0.5 (1 + 0.5) with momentum 0.5.
  EXPECT_EQ(
      after_a_step(
          {.name = OptimizerKind::kSgd, .momentum = 0.5, .nesterov = true, .weight_decay = 0}),
      (std::vector<double>{0.25, 0.25, 0.25}));
}

TEST_F(BuildOptimizer, AdamW) {
  // The first step of Adam has the size lr / (1 + eps); decay takes lr wd = 1/8 of the weights.
  const auto values = after_a_step({.name = OptimizerKind::kAdamW,
                                    .eps = 1.0,
                                    .weight_decay = 0.25,
                                    .decay_all = false,
                                    .decay_embeddings = true});
  EXPECT_NEAR(values[0], 0.875 - 0.25, 1e-12);
  EXPECT_NEAR(values[1], 1.0 - 0.25, 1e-12);
  EXPECT_NEAR(values[2], 0.875 - 0.25, 1e-12);
}

TEST_F(BuildOptimizer, AdamDecaysInsideTheGradient) {
  // g = 1 + 1 * 1 = 2, so the first step has the size lr 2 / (2 + eps).
  const auto values = after_a_step({.name = OptimizerKind::kAdam, .eps = 2.0, .weight_decay = 1.0});
  EXPECT_NEAR(values[0], 1.0 - 0.25, 1e-12);
}

TEST_F(BuildOptimizer, BetasAndAmsgradArriveInState) {
  const auto optimizer = build_optimizer<double>(
      {.name = OptimizerKind::kAdam, .betas = {0.75, 0.5}, .amsgrad = true, .weight_decay = 0},
      store_);
  Tensor<double> gradients = store_.make_buffer();
  gradients[0] = 2;
  optimizer->step(store_.values(), gradients, 0.5);
  ASSERT_EQ(optimizer->state().size(), 3u);
  EXPECT_EQ(optimizer->state()[0].values[0], 0.25 * 2);
  EXPECT_EQ(optimizer->state()[1].values[0], 0.5 * 4);
}

TEST(BuildSchedule, TakesItsNumbersFromTheConfiguration) {
  Config config;
  config.optimizer = {.lr = 2, .min_lr = 1, .warmup = 4, .schedule = ScheduleKind::kLinear};
  config.train.steps = 12;
  const Schedule schedule = build_schedule(config);
  EXPECT_DOUBLE_EQ(schedule.rate(1), 1.0);
  EXPECT_DOUBLE_EQ(schedule.rate(8), 1.5);
}

}  // namespace
}  // namespace tapehead
