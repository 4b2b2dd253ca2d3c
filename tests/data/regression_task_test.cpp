#include "data/regression_task.h"

#include <cmath>

#include "data/hdf5_task.h"
#include "tests/support/expect.h"
#include "tests/support/temp_dir.h"

namespace tapehead {
namespace {

using testing::expect_error;

/// Solves two equations w . x_i = y_i for two unknowns by Cramer's rule.
std::array<double, 2> solved(const std::array<std::array<double, 2>, 2>& x,
                             const std::array<double, 2>& y) {
  const double det = x[0][0] * x[1][1] - x[0][1] * x[1][0];
  return {(y[0] * x[1][1] - x[0][1] * y[1]) / det, (x[0][0] * y[1] - y[0] * x[1][0]) / det};
}

TEST(RegressionTask, ValuesFollowOneLinearRuleARow) {
  const RegressionTask task(2, 4);
  Batch batch;
  task.train_batch(1, 0, 500, batch);
  ASSERT_EQ(batch.length, 7);
  ASSERT_EQ(batch.feature_width, 2);
  ASSERT_EQ(batch.target_width, 1);
  for (Index row = 0; row < batch.rows; ++row) {
    const float* x = batch.features.data() + row * 14;
    const float* y = batch.real_targets.data() + row * 7;
    const auto w = solved({{{x[0], x[1]}, {x[4], x[5]}}}, {y[0], y[2]});
    for (Index point = 0; point < 4; ++point) {
      const float* at = x + 4 * point;
      const double expected = w[0] * static_cast<double>(at[0]) + w[1] * static_cast<double>(at[1]);
      // The two equations may be nearly the same, and w then is large and inexact.
      const double tolerance = 1e-5 * (1 + std::abs(w[0]) + std::abs(w[1])) * 100;
      EXPECT_NEAR(static_cast<double>(y[2 * point]), expected, tolerance);
      if (point == 3) break;
      EXPECT_EQ(at[2], y[2 * point]);  // shown after it was asked
      EXPECT_EQ(at[3], 0.0F);
    }
    for (Index t = 0; t < 7; ++t) {
      EXPECT_EQ(batch.targets[static_cast<std::size_t>(row * 7 + t)] == kIgnoreTarget, t % 2 == 1);
    }
  }
}

// x, w and noise are standard normal: y has mean 0 and variance dimensions + noise^2.
TEST(RegressionTask, HasTheVarianceThatItTellsAsChance) {
  for (const double noise : {0.0, 2.0}) {
    const RegressionTask task(3, 5, noise);
    Batch batch;
    task.train_batch(2, 0, 8000, batch);
    double sum = 0;
    double squares = 0;
    for (Index row = 0; row < batch.rows; ++row) {
      const auto y = static_cast<double>(batch.real_targets[static_cast<std::size_t>(row * 9)]);
      sum += y;
      squares += y * y;
    }
    EXPECT_NEAR(sum / 8000, 0, 5 * std::sqrt(*task.chance() / 8000));
    EXPECT_NEAR(squares / 8000, 3 + noise * noise, 0.1 * *task.chance());
    EXPECT_EQ(*task.chance(), 3 + noise * noise);
  }
}

TEST(RegressionTask, RefusesWhatIsImpossible) {
  expect_error<ValueError>([] { RegressionTask(0); },
                           "regression: dimensions is 0; it must be from 1 to 1000");
  expect_error<ValueError>([] { RegressionTask(1, 10001); }, "points is 10001; .*from 1 to 10000");
  expect_error<ValueError>([] { RegressionTask(1, 2, -1); }, "noise is -1; it must be from 0");
  expect_error<ValueError>([] { RegressionTask(1, 2, 0, 5); }, "held_out is 5; .*from 10");
  const RegressionTask task;
  expect_error<ValueError>([&] { task.encode_prompt("1 2"); }, "no answer to the text '1 2'");
  const testing::TempDir dir;
  expect_error<ValueError>([&] { write_dataset(task, dir / "d.h5", 10, 1); },
                           "regression: a data set holds tokens, .* this task has real numbers");
  EXPECT_FALSE(std::filesystem::exists(dir / "d.h5"));
}

}  // namespace
}  // namespace tapehead
