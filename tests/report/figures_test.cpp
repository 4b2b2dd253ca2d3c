#include "figures/figures.h"

#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

namespace tapehead {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

TEST(Estimate, IsMeanAndStandardError) {
  // 2, 4, 9: mean 5, squares 9 + 1 + 16 = 26, over n - 1 = 2 and n = 3.
  const Estimate e = estimate(std::vector{2.0, 4.0, 9.0});
  EXPECT_EQ(e.mean, 5);
  EXPECT_DOUBLE_EQ(e.se, std::sqrt(26 / 6.0));
  EXPECT_FALSE(e.quantiles.has_value());
}

TEST(Estimate, OfFewSamplesSaysSo) {
  EXPECT_TRUE(std::isnan(estimate({}).mean));
  EXPECT_EQ(estimate(std::vector{3.0}).mean, 3);
  EXPECT_TRUE(std::isnan(estimate(std::vector{3.0}).se));
  EXPECT_FALSE(estimate_with_quantiles({}).quantiles.has_value());
}

TEST(Estimate, QuantilesLieBetweenTheOrderStatistics) {
  // Of 0, 10, ..., 100 the 10th percentile is 10; of 1, 2 a point between.
  std::vector<double> tens;
  for (const int i : {7, 0, 10, 3, 5, 1, 9, 2, 8, 4, 6}) tens.push_back(10.0 * i);
  EXPECT_EQ(estimate_with_quantiles(tens).quantiles, (std::array{10.0, 50.0, 90.0}));
  const auto two = estimate_with_quantiles(std::vector{2.0, 1.0}).quantiles;
  ASSERT_TRUE(two.has_value());
  EXPECT_NEAR((*two)[0], 1.1, 1e-12);
  EXPECT_NEAR((*two)[1], 1.5, 1e-12);
  EXPECT_EQ(estimate_with_quantiles(std::vector{4.0}).quantiles, (std::array{4.0, 4.0, 4.0}));
}

TEST(Estimate, OfWhatIsNotFinite) {
  const auto infinite = estimate_with_quantiles(std::vector{kInfinite, kInfinite, 1.0}).quantiles;
  EXPECT_EQ((*infinite)[1], kInfinite);
  const Estimate none = estimate_with_quantiles(std::vector{1.0, std::nan(""), 2.0});
  EXPECT_TRUE(std::isnan(none.mean));
  for (const double q : *none.quantiles) EXPECT_TRUE(std::isnan(q));
}

TEST(ChartPoint, HasOneStandardErrorToEachSide) {
  EXPECT_EQ(point(8, Estimate{5, 2}), (ChartPoint{8, 5, 3, 7}));
  EXPECT_TRUE(std::isnan(point(8, Estimate{5}).low));
}

}  // namespace
}  // namespace tapehead
