#include "report/text_plot.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/report/sample_figures.h"

namespace tapehead {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::small_maps;

bool is_ascii(const std::string& text) {
  return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80U; });
}

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

Chart falling() {
  Chart chart;
  chart.title = "Loss";
  chart.x_label = "step";
  chart.series = {{"training", {}}};
  for (int i = 0; i <= 100; ++i) chart.series[0].points.push_back({1.0 * i, 100.0 - i});
  return chart;
}

TEST(CurveText, FallsWhereTheCurveDoes) {
  const auto lines = lines_of(curve_text(falling(), 0, TextStyle::kAscii));
  ASSERT_EQ(lines.size(), 12U);  // title, plot, x axis
  EXPECT_EQ(lines[0], "Loss: training");
  EXPECT_THAT(lines[11], HasSubstr("0"));
  EXPECT_THAT(lines[11], HasSubstr("100 step"));
  std::size_t before = 0;
  for (std::size_t i = 1; i <= 10; ++i) {  // the lower the line, the wider
    EXPECT_GT(lines[i].size(), before);
    before = lines[i].size();
  }
}

TEST(CurveText, IsBlocksOrAscii) {
  const std::string unicode = curve_text(falling(), 0, TextStyle::kUnicode);
  EXPECT_THAT(unicode, HasSubstr("█"));
  EXPECT_TRUE(is_ascii(curve_text(falling(), 0, TextStyle::kAscii)));
}

TEST(CurveText, OfNothingIsEmpty) {
  Chart chart = falling();
  chart.series[0].points = {{1, std::nan("")}};
  EXPECT_EQ(curve_text(chart, 0, TextStyle::kUnicode), "");
  chart.series[0].points = {{1, 2}};
  EXPECT_NE(curve_text(chart, 0, TextStyle::kUnicode), "");
}

TEST(HeadText, HasALineAQueryAndACharacterAKey) {
  const std::string text = head_text(small_maps(), 1, {1, 1}, TextStyle::kUnicode);
  const auto lines = lines_of(text);
  ASSERT_EQ(lines.size(), 5U);
  EXPECT_EQ(lines[0], "attention of layer 2, head 2 (rows: queries, columns: keys)");
  EXPECT_EQ(lines[1], "  abc");
  EXPECT_EQ(lines[2], "< █  ");
  EXPECT_EQ(lines[3], "& █  ");
  EXPECT_EQ(lines_of(head_text(small_maps(), 1, {1, 1}, TextStyle::kAscii))[2], "< #  ");
}

TEST(HeadText, OfManyPositionsShowsTheFirst) {
  AttentionMaps maps;
  maps.queries.assign(100, "é");
  maps.keys.assign(100, "");
  maps.layers = {"only"};
  maps.heads = 1;
  maps.steps = {0};
  maps.weights = {std::vector<float>(100 * 100, 0.01F)};
  const std::string ascii = head_text(maps, 0, {0, 0}, TextStyle::kAscii);
  EXPECT_EQ(lines_of(ascii).size(), 2U + 40U);
  EXPECT_TRUE(is_ascii(ascii));
}

TEST(StyledText, WritesInAsciiWhatItCan) {
  EXPECT_EQ(styled_text("1 ± 2 – é", TextStyle::kAscii), "1 +- 2 - ?");
  EXPECT_EQ(styled_text("1 ± 2", TextStyle::kUnicode), "1 ± 2");
}

// Sets the variables that name a locale for one test.
class Locale : public ::testing::Test {
 protected:
  Locale() {
    for (const char* name : kNames) {
      const char* value = std::getenv(name);
      before_.emplace_back(value == nullptr ? "" : value);
      unsetenv(name);
    }
  }
  ~Locale() override {
    for (std::size_t i = 0; i < before_.size(); ++i) {
      if (before_[i].empty()) {
        unsetenv(kNames[i]);
      } else {
        setenv(kNames[i], before_[i].c_str(), 1);
      }
    }
  }

 private:
  static constexpr const char* kNames[] = {"LC_ALL", "LC_CTYPE", "LANG"};
  std::vector<std::string> before_;
};

TEST_F(Locale, DecidesWhatATerminalIsGiven) {
  EXPECT_EQ(terminal_style(), TextStyle::kUnicode);
  setenv("LANG", "C", 1);
  EXPECT_EQ(terminal_style(), TextStyle::kAscii);
  setenv("LC_CTYPE", "de_DE.UTF-8", 1);
  EXPECT_EQ(terminal_style(), TextStyle::kUnicode);
  setenv("LC_ALL", "de_DE.ISO-8859-1", 1);
  EXPECT_EQ(terminal_style(), TextStyle::kAscii);
  setenv("LC_ALL", "", 1);
  EXPECT_EQ(terminal_style(), TextStyle::kUnicode);
  setenv("LC_ALL", "en_GB.utf8", 1);
  EXPECT_EQ(terminal_style(), TextStyle::kUnicode);
}

}  // namespace
}  // namespace tapehead
