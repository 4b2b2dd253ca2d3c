#include "report/svg.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "report/svg_canvas.h"
#include "report/svg_chart.h"
#include "report/svg_map.h"
#include "tests/report/sample_figures.h"
#include "tests/report/xml.h"
#include "tests/support/temp_dir.h"

namespace tapehead {
namespace {

using testing::count_of;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::odd_chart;
using testing::small_maps;
using testing::TempDir;
using testing::xml_problem;

TEST(XmlProblem, FindsWhatIsWrong) {
  EXPECT_EQ(xml_problem("<a><b c=\"d\"/>e &amp; f</a>"), "");
  for (const char* bad : {"<a>", "<a></b>", "<a>&</a>", "<a>\x01</a>", "<a b=\"></a>", "<a/><a/>",
                          "<a <b></a>", ""}) {
    EXPECT_NE(xml_problem(bad), "") << bad;
  }
}

TEST(ChartSvg, IsXmlWhateverTheLabels) {
  EXPECT_EQ(xml_problem(chart_svg(odd_chart())), "");
  EXPECT_THAT(chart_svg(odd_chart()), HasSubstr("&lt;/script&gt;"));
}

TEST(ChartSvg, HasAMarkForEachPointAndBar) {
  const std::string svg = chart_svg(odd_chart());
  EXPECT_EQ(count_of(svg, "<circle"), 6);
  // Three bars of three lines each, beside grid and axes.
  Chart without = odd_chart();
  for (ChartSeries& s : without.series) {
    for (ChartPoint& p : s.points) p.low = p.high = std::nan("");
  }
  Chart same_axis = odd_chart();
  same_axis.series[1].points.push_back({2, 0.5});
  same_axis.series[1].points.push_back({2, 3.5});
  EXPECT_EQ(count_of(svg, "stroke-width=\"1.3\""), 9);
  EXPECT_EQ(count_of(chart_svg(without), "stroke-width=\"1.3\""), 0);
}

TEST(ChartSvg, DrawsNoNumberThatIsNone) {
  Chart chart = odd_chart();
  const double inf = std::numeric_limits<double>::infinity();
  chart.series[0].points = {{1, std::nan("")}, {2, inf}, {-1, 5}, {3, -2}, {4, 0}, {5, 6, -1, 7}};
  for (const bool log : {false, true}) {
    chart.log_x = chart.log_y = log;
    std::string svg = chart_svg(chart);
    EXPECT_EQ(xml_problem(svg), "");
    EXPECT_THAT(svg, Not(HasSubstr("nan")));
    EXPECT_THAT(svg, Not(HasSubstr("inf")));
  }
  chart.series.clear();
  EXPECT_EQ(xml_problem(chart_svg(chart)), "");
}

TEST(ChartSvg, HasABarForEachCategory) {
  Chart chart = odd_chart();
  chart.categories = {"a <", "b", "c", "d"};
  const std::string svg = chart_svg(chart);
  EXPECT_EQ(xml_problem(svg), "");
  EXPECT_EQ(count_of(svg, "<rect"), 1 + 6);  // the background, and the bars
  EXPECT_THAT(svg, HasSubstr("a &lt;"));
}

TEST(HeadSvg, IsDarkWhereTheWeightIs) {
  const AttentionMaps maps = small_maps();
  const std::string certain = head_svg(maps, 1, {1, 1});
  EXPECT_EQ(xml_problem(certain), "");
  // All three queries give all their weight to the first key: one shade, the darkest.
  EXPECT_EQ(count_of(certain, "fill-opacity"), 1);
  EXPECT_THAT(certain, HasSubstr("fill-opacity=\"1.000\""));
  EXPECT_THAT(certain, HasSubstr("layer 2, head 2, after step 100"));
  EXPECT_EQ(count_of(head_svg(maps, 0, {1, 1}), "fill-opacity=\"1.000\""), 0);
}

TEST(HeadSvg, OfManyPositionsShowsTheLargestOfSeveral) {
  AttentionMaps maps;
  maps.queries.assign(300, "q");
  maps.keys.assign(300, "k");
  maps.layers = {"only"};
  maps.heads = 1;
  maps.steps = {0};
  maps.weights = {std::vector<float>(300 * 300, 0.0F)};
  maps.weights[0][299 * 300 + 299] = 1;  // the last of all
  const std::string svg = head_svg(maps, 0, {0, 0});
  EXPECT_EQ(count_of(svg, "fill-opacity=\"1.000\""), 1);
  EXPECT_THAT(svg, HasSubstr("the largest of 3 x 3 weights"));
  EXPECT_LT(svg.size(), 10'000U);
}

TEST(WrappedText, BreaksBetweenWords) {
  EXPECT_THAT(wrapped_text("aa bb cc", 10, text_width("aa bb", 10)), ElementsAre("aa bb", "cc"));
  EXPECT_THAT(wrapped_text("longword a", 10, 1), ElementsAre("longword", "a"));
  EXPECT_TRUE(wrapped_text("", 10, 10).empty());
}

TEST(WriteSvgs, WritesEachPictureUnderANameOfItsOwn) {
  const TempDir dir;
  Document document;
  document.sections = {{"s", {odd_chart(), odd_chart(), small_maps(), Paragraph{"x"}}}};
  const auto paths = write_svgs(dir / "new", document);
  EXPECT_EQ(std::set(paths.begin(), paths.end()).size(), 4U);
  std::vector<std::string> names;
  for (const auto& path : paths) {
    names.push_back(path.filename().string());
    std::ifstream file(path, std::ios::binary);
    EXPECT_EQ(xml_problem(std::string(std::istreambuf_iterator<char>(file), {})), "");
  }
  EXPECT_THAT(names, ElementsAre("odd-chart.svg", "odd-chart-2.svg", "attention-weights-heads.svg",
                                 "attention-weights-layer-2-head-2.svg"));
  const auto file = dir.write("file", "x");
  EXPECT_THROW(write_svgs(file / "below", document), IoError);
}

}  // namespace
}  // namespace tapehead
