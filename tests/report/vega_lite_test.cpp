#include "report/vega_lite.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/report/sample_figures.h"

namespace tapehead {
namespace {

using Json = nlohmann::ordered_json;
using testing::kOddLabel;
using testing::odd_chart;

const Json& rows_of(const Json& chart) { return chart["spec"]["data"]["values"]; }

TEST(VegaLiteChart, HasARowForEachPoint) {
  const Json chart = vega_lite_chart(odd_chart());
  ASSERT_EQ(rows_of(chart).size(), 6U);
  EXPECT_EQ(rows_of(chart)[0],
            (Json{{"s", kOddLabel}, {"y", 2.0}, {"d", 1}, {"x", 1.0}, {"l", 1.5}, {"h", 2.5}}));
  EXPECT_FALSE(rows_of(chart)[3].contains("l"));
  EXPECT_EQ(chart["series"], (Json{kOddLabel, "b"}));
}

TEST(VegaLiteChart, LeavesOutWhatCannotBeShown) {
  Chart chart = odd_chart();
  chart.series = {{"s", {{1, std::nan("")}, {2, -1}, {3, 0}, {4, 5, -1, 6}}}};
  EXPECT_EQ(rows_of(vega_lite_chart(chart)).size(), 3U);
  EXPECT_FALSE(vega_lite_chart(chart).contains("logTicks"));
  chart.log_y = true;
  const Json logarithmic = vega_lite_chart(chart);
  EXPECT_EQ(rows_of(logarithmic).size(), 1U);
  const Json& scale = logarithmic["spec"]["layer"][0]["encoding"]["y"]["scale"];
  EXPECT_EQ(scale["type"], "log");
  EXPECT_GT(scale["domain"][0].get<double>(), 0);
}

TEST(VegaLiteChart, OfOneNumberHasAnAxis) {
  Chart chart = odd_chart();
  const auto domain_of = [&chart](double y) {
    chart.series = {{"s", {{1, y}, {2, y}}}};
    const Json json = vega_lite_chart(chart);
    return json["spec"]["layer"][0]["encoding"]["y"]["scale"]["domain"].get<std::vector<double>>();
  };
  EXPECT_EQ(domain_of(0), (std::vector<double>{0, 1}));
  EXPECT_EQ(domain_of(4), (std::vector<double>{2, 6}));
}

TEST(VegaLiteChart, CanBeLogarithmicWhereAllIsPositive) {
  EXPECT_TRUE(vega_lite_chart(odd_chart()).contains("logTicks"));
}

TEST(VegaLiteChart, ManyPointsHaveABandAndNoDots) {
  Chart chart = odd_chart();
  for (int i = 4; i < 100; ++i) chart.series[0].points.push_back({1.0 * i, 1, 0.5, 2});
  const Json json = vega_lite_chart(chart);
  EXPECT_EQ(json["spec"]["layer"][0]["mark"]["type"], "area");
  EXPECT_EQ(rows_of(json)[0]["d"], 0);
  EXPECT_EQ(rows_of(json).back()["d"], 1);  // the other series has few
}

TEST(VegaLiteChart, TellsSeriesOfOneNameApart) {
  Chart chart = odd_chart();
  chart.series[1].name = chart.series[0].name;
  EXPECT_EQ(vega_lite_chart(chart)["series"], (Json{kOddLabel, kOddLabel + " (2)"}));
}

TEST(VegaLiteChart, OfCategoriesHasTheirNames) {
  Chart chart = odd_chart();
  chart.categories = {"zero", "one", kOddLabel, "three"};
  const Json json = vega_lite_chart(chart);
  EXPECT_EQ(json["spec"]["layer"][0]["mark"]["type"], "bar");
  EXPECT_EQ(rows_of(json)[1]["x"], kOddLabel);
  EXPECT_EQ(json["spec"]["encoding"]["x"]["scale"]["domain"].size(), 4U);
}

}  // namespace
}  // namespace tapehead
