#include "report/axis.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tapehead {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;

TEST(Ticks, AreMultiplesOfOneTwoOrFive) {
  EXPECT_THAT(ticks({0, 1, false}, 5),
              ElementsAre(0, DoubleNear(0.2, 1e-12), DoubleNear(0.4, 1e-12), DoubleNear(0.6, 1e-12),
                          DoubleNear(0.8, 1e-12), 1));
  EXPECT_THAT(ticks({-3, 12, false}, 4), ElementsAre(0, 5, 10));
  EXPECT_THAT(ticks({990, 1010, false}, 5), ElementsAre(990, 995, 1000, 1005, 1010));
}

TEST(Ticks, OfALogarithmArePowersOfTen) {
  EXPECT_THAT(ticks({0.05, 200, true}, 6), ElementsAre(DoubleNear(0.1, 1e-15), 1, 10, 100));
  EXPECT_THAT(ticks({3, 30, true}, 6), ElementsAre(5, 10, 20));  // too few powers
  EXPECT_THAT(ticks({16, 1024, true}, 6), ElementsAre(20, 50, 100, 200, 500, 1000));
  EXPECT_LE(ticks({1e-30, 1, true}, 6).size(), 7U);
}

TEST(Axis, MapsItsEndsToZeroAndOne) {
  EXPECT_EQ((Axis{2, 4, false}).position(3), 0.5);
  EXPECT_NEAR((Axis{1, 100, true}).position(10), 0.5, 1e-15);
  EXPECT_TRUE(std::isnan((Axis{1, 100, true}).position(0)));
}

Chart chart_of(std::vector<ChartPoint> points, bool log_y) {
  Chart chart;
  chart.log_y = log_y;
  chart.series = {{"s", std::move(points)}};
  return chart;
}

TEST(YAxis, HoldsPointsAndBars) {
  const Axis axis = y_axis(chart_of({{0, 1, 0.5, 3}, {1, 2}}, false));
  EXPECT_LT(axis.low, 0.5);
  EXPECT_GT(axis.high, 3);
}

TEST(YAxis, OfALogarithmIsNotWidenedByWhatItCannotShow) {
  const Axis axis = y_axis(chart_of({{0, 1, -1, 2}, {1, 0}, {2, 100}}, true));
  EXPECT_GT(axis.low, 0.5);
  EXPECT_LT(axis.low, 1);
}

TEST(YAxis, OfNothingOrOneNumberCanBeDrawn) {
  const double nan = std::nan("");
  for (const auto& points : {std::vector<ChartPoint>{}, {{0, nan}}, {{0, 5}}, {{0, 0}}}) {
    for (const bool log : {false, true}) {
      const Axis axis = y_axis(chart_of(points, log));
      EXPECT_TRUE(std::isfinite(axis.low) && std::isfinite(axis.high));
      EXPECT_LT(axis.low, axis.high);
    }
  }
}

TEST(YAxis, OfZerosRunsToOne) {
  Chart chart = chart_of({{0, 0}, {1, 0}}, false);
  EXPECT_EQ(y_axis(chart), (Axis{0, 1, false}));
  chart.categories = {"a", "b"};
  EXPECT_EQ(y_axis(chart), (Axis{0, 1, false}));
}

TEST(YAxis, OfBarsHoldsZero) {
  Chart chart = chart_of({{0, 5}, {1, 6}}, false);
  chart.categories = {"a", "b"};
  EXPECT_EQ(y_axis(chart).low, 0);
  EXPECT_EQ(x_axis(chart), (Axis{-0.5, 1.5, false}));
}

}  // namespace
}  // namespace tapehead
