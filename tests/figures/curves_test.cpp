#include "figures/curves.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace tapehead {
namespace {

TEST(BucketSize, KeepsACurveShort) {
  EXPECT_EQ(bucket_size(0, 400), 1);
  EXPECT_EQ(bucket_size(400, 400), 1);
  EXPECT_EQ(bucket_size(401, 400), 2);
  EXPECT_EQ(bucket_size(1'000'000, 400), 2500);
}

TEST(Curve, OfFewStepsIsWhatWasMeasured) {
  const double inf = std::numeric_limits<double>::infinity();
  const std::vector<Measured> measured = {{1, 3.0}, {2, std::nan("")}, {3, inf}, {4, 5.0}};
  const ChartSeries series = curve("loss", measured, 1);
  EXPECT_EQ(series.name, "loss");
  ASSERT_EQ(series.points.size(), 2U);
  EXPECT_EQ(series.points[1].x, 4);
  EXPECT_EQ(series.points[1].y, 5);
  EXPECT_TRUE(std::isnan(series.points[1].low));
  EXPECT_EQ(bucket_note(1), "");
}

// A spike of one step in 100,000 is still to be seen, and the mean over all points is the mean over
// all steps.
TEST(Curve, InBucketsKeepsExtremesAndMeans) {
  std::vector<Measured> measured;
  double sum = 0;
  for (Index step = 1; step <= 100'000; ++step) {
    const double value = step == 54'321 ? 1000.0 : std::sin(static_cast<double>(step));
    measured.push_back({step, value});
    sum += value;
  }
  const Index bucket = bucket_size(measured.size(), 400);
  EXPECT_EQ(bucket, 250);
  const ChartSeries series = curve("loss", measured, bucket);
  ASSERT_EQ(series.points.size(), 400U);
  double highest = 0, lowest = 0, mean = 0;
  for (const ChartPoint& p : series.points) {
    EXPECT_LE(p.low, p.y);
    EXPECT_GE(p.high, p.y);
    highest = std::max(highest, p.high);
    lowest = std::min(lowest, p.low);
    mean += p.y / 400;
  }
  EXPECT_EQ(highest, 1000);
  EXPECT_NEAR(lowest, -1, 1e-6);
  EXPECT_NEAR(mean, sum / 100'000, 1e-9);
  EXPECT_EQ(series.points[0].x, 125.5);  // the middle of 1 to 250
  EXPECT_NE(bucket_note(bucket).find("mean of 250 steps"), std::string::npos);
}

TEST(Curve, LeavesOutABucketWithoutNumbers) {
  const std::vector<Measured> measured = {{1, std::nan("")}, {2, std::nan("")}, {3, 1.0}, {4, 3.0}};
  const ChartSeries series = curve("x", measured, 2);
  ASSERT_EQ(series.points.size(), 1U);
  EXPECT_EQ(series.points[0], (ChartPoint{3.5, 2, 1, 3}));
}

}  // namespace
}  // namespace tapehead
