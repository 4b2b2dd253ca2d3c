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

/// What row `row` of a step asks: how many points from the first on, and nothing after a gap.
Index asked_points(const Batch& batch, Index row) {
  Index asked = 0;
  for (Index t = 0; t < batch.length; ++t) {
    if (batch.targets[static_cast<std::size_t>(row * batch.length + t)] == kIgnoreTarget) continue;
    EXPECT_EQ(t, 2 * asked);
    ++asked;
  }
  return asked;
}

/// Expects what a curriculum leaves of the same rows without one: the first `used` numbers of each
/// x, of which `points` are asked.
void expect_left(const Batch& whole, const Batch& left, Index used, Index points) {
  const Index width = whole.feature_width;
  for (Index row = 0; row < whole.rows; ++row) {
    EXPECT_EQ(asked_points(left, row), points);
    for (Index t = 0; t < whole.length; t += 2) {
      const auto at = static_cast<std::size_t>(row * whole.length + t);
      for (Index i = 0; i < width; ++i) {
        const auto number = at * static_cast<std::size_t>(width) + static_cast<std::size_t>(i);
        EXPECT_EQ(left.features[number], i < used ? whole.features[number] : 0.0F);
      }
      if (t + 1 == whole.length) continue;
      EXPECT_EQ(left.features[(at + 1) * static_cast<std::size_t>(width)], left.real_targets[at]);
    }
  }
}

TEST(RegressionTask, CurriculumBeginsWithFewDimensionsAndPoints) {
  const RegressionTask without(3, 9);
  const RegressionTask with(3, 9, 0, kDefaultHeldOut, 100);
  struct Stage {
    Index first_step, last_step, dimensions, points;
  };
  // 2 s + 1 points in stage s, and all of them in the last.
  for (const Stage& stage : {Stage{0, 99, 1, 3}, {100, 199, 2, 5}, {200, 123'456, 3, 9}}) {
    for (const Index step : {stage.first_step, stage.last_step}) {
      Batch whole, left;
      without.train_batch(4, step, 50, whole);
      with.train_batch(4, step, 50, left);
      ASSERT_EQ(left.length, whole.length);
      ASSERT_EQ(left.feature_width, whole.feature_width);
      expect_left(whole, left, stage.dimensions, stage.points);
    }
  }
}

// In stage 1, y / x is the same for all points of a row: w. In stage s, y has variance s.
TEST(RegressionTask, ValuesOfACurriculumFollowTheDimensionsThatAreLeft) {
  const RegressionTask task(3, 9, 0, kDefaultHeldOut, 100);
  constexpr Index kRows = 8000;
  Batch batch;
  task.train_batch(1, 0, kRows, batch);
  for (Index row = 0; row < 100; ++row) {
    const float* x = batch.features.data() + row * batch.length * 3;
    const float* y = batch.real_targets.data() + row * batch.length;
    for (Index t = 2; t < batch.length; t += 2) {
      const double product = static_cast<double>(y[t]) * static_cast<double>(x[0]);
      EXPECT_NEAR(product, static_cast<double>(y[0]) * static_cast<double>(x[3 * t]),
                  1e-6 * (1 + std::abs(product)));
    }
  }
  for (const Index stage : {1, 2, 3}) {
    task.train_batch(2, 100 * (stage - 1), kRows, batch);
    double squares = 0;
    for (Index row = 0; row < kRows; ++row) {
      const auto y =
          static_cast<double>(batch.real_targets[static_cast<std::size_t>(row * batch.length)]);
      squares += y * y;
    }
    // Var(y^2) = 2 s^2 + 6 s for a product of standard normal w and x, so five deviations.
    const auto s = static_cast<double>(stage);
    EXPECT_NEAR(squares / kRows, s, 5 * std::sqrt((2 * s * s + 6 * s) / kRows));
  }
}

TEST(RegressionTask, CurriculumLeavesHeldOutRowsAndShortRowsWhole) {
  Batch plain, held_out;
  RegressionTask(3, 9).held_out_batch(5, 20, plain);
  RegressionTask(3, 9, 0, kDefaultHeldOut, 100).held_out_batch(5, 20, held_out);
  EXPECT_EQ(held_out.features, plain.features);
  EXPECT_EQ(held_out.targets, plain.targets);
  EXPECT_EQ(held_out.real_targets, plain.real_targets);
  Batch few;  // with two points there is no third to leave out
  RegressionTask(3, 2, 0, kDefaultHeldOut, 100).train_batch(1, 0, 4, few);
  for (Index row = 0; row < few.rows; ++row) EXPECT_EQ(asked_points(few, row), 2);
}

TEST(RegressionTask, RefusesWhatIsImpossible) {
  expect_error<ValueError>([] { RegressionTask(0); },
                           "regression: dimensions is 0; it must be from 1 to 1000");
  expect_error<ValueError>([] { RegressionTask(1, 10001); }, "points is 10001; .*from 1 to 10000");
  expect_error<ValueError>([] { RegressionTask(1, 2, -1); }, "noise is -1; it must be from 0");
  expect_error<ValueError>([] { RegressionTask(1, 2, 0, 5); }, "held_out is 5; .*from 10");
  expect_error<ValueError>([] { RegressionTask(1, 2, 0, 10, -1); },
                           "curriculum is -1; it must be from 0 to 1000000000");
  const RegressionTask task;
  expect_error<ValueError>([&] { task.encode_prompt("1 2"); }, "no answer to the text '1 2'");
  const testing::TempDir dir;
  expect_error<ValueError>([&] { write_dataset(task, dir / "d.h5", 10, 1); },
                           "regression: a data set holds tokens, and this task has real numbers");
  EXPECT_FALSE(std::filesystem::exists(dir / "d.h5"));
}

}  // namespace
}  // namespace tapehead
