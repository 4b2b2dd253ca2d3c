#include "report/html.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "report/assets.h"
#include "tests/report/sample_figures.h"
#include "tests/report/xml.h"

namespace tapehead {
namespace {

using ::testing::AllOf;
using testing::count_of;
using ::testing::HasSubstr;
using testing::kOddLabel;
using ::testing::Not;
using testing::odd_chart;
using testing::small_maps;

Document odd_document() {
  Sample sample{{kOddLabel, "1"}, {"<", "b"}, {"<", "\""}};
  const Table table{"t", kOddLabel, {kOddLabel}, {{kOddLabel}, {Estimate{1, 0.5}}}};
  return {kOddLabel,
          kOddLabel,
          {{kOddLabel,
            {Heading{kOddLabel}, Paragraph{kOddLabel}, BulletList{{kOddLabel}},
             Listing{kOddLabel, kOddLabel}, SampleList{kOddLabel, {sample}}, table, odd_chart(),
             odd_chart(), small_maps()}},
           {"second", {}}}};
}

// The page without what stands in its scripts and its style.
std::string markup_of(std::string html) {
  for (const std::string element : {"script", "style"}) {
    std::size_t at = 0;
    while ((at = html.find("<" + element, at)) != std::string::npos) {
      const std::size_t begin = html.find('>', at) + 1;
      html.erase(begin, html.find("</" + element + ">", begin) - begin);
      at = begin;
    }
  }
  return html;
}

std::string figures_of(const std::string& html) {
  const std::string opening = "<script type=\"application/json\" id=\"figures\">";
  const std::size_t begin = html.find(opening) + opening.size();
  return html.substr(begin, html.find("</script>", begin) - begin);
}

TEST(Html, EscapesEveryText) {
  const std::string markup = markup_of(to_html(odd_document()));
  EXPECT_THAT(markup, Not(HasSubstr("<b>")));
  EXPECT_THAT(markup, Not(HasSubstr("\x01")));
  EXPECT_EQ(count_of(markup, "<script"), count_of(markup, "</script>"));
  EXPECT_THAT(markup, HasSubstr("<h1>&lt;b&gt; &amp; &quot;q&quot; &#39;a&#39; &lt;/script&gt;"));
}

TEST(Html, HoldsTheFiguresData) {
  const std::string json = figures_of(to_html(odd_document()));
  EXPECT_THAT(json, Not(HasSubstr("<")));
  const auto figures = nlohmann::json::parse(json);
  ASSERT_EQ(figures["charts"].size(), 2U);
  EXPECT_EQ(figures["charts"][0]["series"][0], kOddLabel);
  ASSERT_EQ(figures["maps"].size(), 1U);
  const auto& maps = figures["maps"][0];
  EXPECT_EQ(maps["queries"], nlohmann::json(small_maps().queries));
  EXPECT_EQ(maps["chosen"], (nlohmann::json{1, 1}));
  // Head 4 at the last step: 1, 0, 0 three times; ff ff is "//8" in base64 with what follows.
  const std::string weights = maps["weights"][1];
  EXPECT_EQ(weights.size(), 96U);  // 36 numbers of two bytes
  EXPECT_EQ(weights.substr(72), "//8AAAAA//8AAAAA//8AAAAA");
}

TEST(Html, MarksWrongTokens) {
  const std::string html = to_html(odd_document());
  EXPECT_EQ(count_of(html, "<mark"), 1);
  EXPECT_THAT(html, HasSubstr("<mark title=\"expected: b\">&quot;</mark>"));
  EXPECT_THAT(html, HasSubstr("<dt>1 wrong</dt>"));
}

TEST(Html, ShowsTablesWholeAndSaysOfLongOnesThatTheyScroll) {
  const auto page_of = [](std::size_t rows) {
    const Table table{"t", "Layers", {"layer"}, {rows, {std::string("blocks.0.attention")}}};
    return markup_of(to_html({"t", "s", {{"Tables", {table}}}}));
  };
  EXPECT_THAT(page_of(60), Not(HasSubstr("scroll")));
  EXPECT_THAT(page_of(60), HasSubstr("<p class=\"caption\">Layers</p>"));
  EXPECT_THAT(page_of(172), AllOf(HasSubstr("172 rows, scroll"), HasSubstr("class=\"wide long\"")));
}

TEST(Html, LoadsNothingThatItCanCarry) {
  const std::string html = to_html(odd_document());
  bool carried = true;
  for (const Asset& script : chart_scripts()) {
    carried = carried && !script.text.empty();
    EXPECT_THAT(std::string(script.url), HasSubstr("@"));
  }
  EXPECT_EQ(count_of(html, "<script src="), carried ? 0 : 3);
  EXPECT_EQ(count_of(html, "default-src 'none'"), 1);
  EXPECT_EQ(count_of(html, "<link"), 1);  // an icon of nothing
}

TEST(Html, OfAnEmptyDocumentIsAPage) {
  const std::string html = to_html({"t", "s", {}});
  EXPECT_THAT(html, HasSubstr("<title>t</title>"));
  EXPECT_TRUE(html.ends_with("</html>\n"));
}

}  // namespace
}  // namespace tapehead
