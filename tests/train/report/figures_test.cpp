#include "train/report/figures.h"

#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

namespace tapehead {
namespace {

TEST(Estimate, OfOneToNHasItsClosedForm) {
  std::vector<double> samples;
  for (int i = 1; i <= 101; ++i) samples.push_back(i);
  const Estimate e = estimate_with_quantiles(samples);
  EXPECT_EQ(e.mean, 51);
  // The variance of 1 to n is n (n + 1) / 12.
  EXPECT_NEAR(e.se, std::sqrt(101.0 * 102 / 12 / 101), 1e-12);
  ASSERT_TRUE(e.quantiles.has_value());
  EXPECT_NEAR((*e.quantiles)[0], 11, 1e-12);
  EXPECT_NEAR((*e.quantiles)[1], 51, 1e-12);
  EXPECT_NEAR((*e.quantiles)[2], 91, 1e-12);
}

TEST(Estimate, OfFewSamples) {
  EXPECT_TRUE(std::isnan(estimate({}).mean));
  const Estimate one = estimate(std::vector{3.0});
  EXPECT_EQ(one.mean, 3);
  EXPECT_TRUE(std::isnan(one.se));
  const Estimate two = estimate_with_quantiles(std::vector{4.0, 0.0});
  EXPECT_EQ(two.mean, 2);
  EXPECT_EQ(two.se, 2);
  EXPECT_NEAR((*two.quantiles)[0], 0.4, 1e-15);
}

TEST(Estimate, QuantilesOfInfinitiesAreNoNaN) {
  const double inf = std::numeric_limits<double>::infinity();
  EXPECT_EQ((*estimate_with_quantiles(std::vector{inf, inf}).quantiles)[1], inf);
}

TEST(Point, HasOneStandardErrorToEachSide) {
  EXPECT_EQ(point(2, {.mean = 5, .se = 1}), (ChartPoint{2, 5, 4, 6}));
}

}  // namespace
}  // namespace tapehead
