#include "optim/schedule.h"

#include <cmath>
#include <numbers>

#include "tests/support/expect.h"

namespace tapehead {
namespace {

double rate(ScheduleKind kind, Index warmup, Index total, Index step, double min_lr = 0.5) {
  return Schedule({.kind = kind, .lr = 2, .min_lr = min_lr, .warmup = warmup, .total = total})
      .rate(step);
}

TEST(Schedule, WarmupRisesFromItsFirstPartToTheWhole) {
  for (const auto kind : {ScheduleKind::kConstant, ScheduleKind::kLinear, ScheduleKind::kCosine,
                          ScheduleKind::kInverseSqrt}) {
    EXPECT_DOUBLE_EQ(rate(kind, 4, 10, 0), 0.5);
    EXPECT_DOUBLE_EQ(rate(kind, 4, 10, 1), 1.0);
    EXPECT_DOUBLE_EQ(rate(kind, 4, 10, 3), 2.0);
  }
}

TEST(Schedule, ConstantIsConstant) {
  EXPECT_EQ(rate(ScheduleKind::kConstant, 0, 10, 0), 2);
  EXPECT_EQ(rate(ScheduleKind::kConstant, 0, 10, 1000), 2);
}

TEST(Schedule, LinearFallsInEqualSteps) {
  // From 2 at step 4 towards 0.5 at step 10: a quarter a step.
  EXPECT_DOUBLE_EQ(rate(ScheduleKind::kLinear, 4, 10, 4), 2.0);
  EXPECT_DOUBLE_EQ(rate(ScheduleKind::kLinear, 4, 10, 6), 1.5);
  EXPECT_DOUBLE_EQ(rate(ScheduleKind::kLinear, 4, 10, 9), 0.75);
}

TEST(Schedule, CosineIsHalfwayInTheMiddle) {
  EXPECT_DOUBLE_EQ(rate(ScheduleKind::kCosine, 0, 100, 0), 2.0);
  EXPECT_DOUBLE_EQ(rate(ScheduleKind::kCosine, 0, 100, 50), 1.25);
  EXPECT_DOUBLE_EQ(rate(ScheduleKind::kCosine, 20, 100, 60), 1.25);
  // A third of the way the cosine is 1/2: a quarter of the fall.
  EXPECT_DOUBLE_EQ(rate(ScheduleKind::kCosine, 10, 100, 40), 1.625);
}

// The reference runs' formula, with a smallest rate of a tenth.
TEST(Schedule, CosineIsThatOfTheReferenceRuns) {
  const Schedule schedule(
      {.kind = ScheduleKind::kCosine, .lr = 1e-2, .min_lr = 1e-3, .warmup = 5, .total = 40});
  for (int s = 0; s < 40; ++s) {
    const double scale =
        s < 5 ? (s + 1) / 5.0 : 0.1 + 0.45 * (1 + std::cos(std::numbers::pi * (s - 5) / (40 - 5)));
    EXPECT_NEAR(schedule.rate(s), 1e-2 * scale, 1e-17) << s;
  }
}

// Vaswani et al. 2017, equation 3, scaled so that its peak, at step number `warmup`, is 1.
TEST(Schedule, InverseSqrtIsNoams) {
  for (int s = 0; s < 50; ++s) {
    const double n = s + 1;
    const double w = 9;
    EXPECT_NEAR(rate(ScheduleKind::kInverseSqrt, 9, 50, s, 0),
                2 * std::sqrt(w) * std::min(1 / std::sqrt(n), n * std::pow(w, -1.5)), 1e-15);
  }
  EXPECT_DOUBLE_EQ(rate(ScheduleKind::kInverseSqrt, 0, 50, 3, 0), 1.0);
  EXPECT_DOUBLE_EQ(rate(ScheduleKind::kInverseSqrt, 1, 5000, 4000), 0.5);  // min_lr
}

TEST(Schedule, AfterTheEndTheLastRateHolds) {
  for (const auto kind :
       {ScheduleKind::kLinear, ScheduleKind::kCosine, ScheduleKind::kInverseSqrt}) {
    const double last = rate(kind, 4, 10, 9);
    EXPECT_EQ(rate(kind, 4, 10, 10), last);
    EXPECT_EQ(rate(kind, 4, 10, 12345), last);
  }
}

TEST(Schedule, WarmupMayFillTheWholeRun) {
  for (const auto kind :
       {ScheduleKind::kLinear, ScheduleKind::kCosine, ScheduleKind::kInverseSqrt}) {
    EXPECT_DOUBLE_EQ(rate(kind, 10, 10, 4), 1.0);
    EXPECT_DOUBLE_EQ(rate(kind, 10, 10, 9), 2.0);
    EXPECT_DOUBLE_EQ(rate(kind, 10, 10, 10), 2.0);
    EXPECT_DOUBLE_EQ(rate(kind, 20, 10, 500), 1.0);
    EXPECT_TRUE(std::isfinite(rate(kind, 0, 0, 0)));
  }
}

TEST(Schedule, RefusesImpossibleNumbers) {
  const auto refuses = [](const ScheduleOptions& options, const char* regex) {
    testing::expect_error<ValueError>([&] { Schedule{options}; }, regex);
  };
  refuses({.lr = -1}, "lr is -1");
  refuses({.lr = std::nan("")}, "lr is nan");
  refuses({.lr = 0.5, .min_lr = 0.75}, "min_lr is 0.75; it must be between 0 and lr, which is 0.5");
  refuses({.warmup = -3}, "warmup is -3");
  refuses({.total = -2}, "total is -2");
}

}  // namespace
}  // namespace tapehead
