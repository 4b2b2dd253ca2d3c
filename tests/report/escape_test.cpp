#include "report/escape.h"

#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace tapehead {
namespace {

TEST(MarkupText, WritesWhatMeansSomethingAsEntities) {
  EXPECT_EQ(markup_text("a<b> & \"c\" 'd'"), "a&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39;");
  EXPECT_EQ(markup_text("&amp;"), "&amp;amp;");
  EXPECT_EQ(markup_text("ä→𝄞\t\n"), "ä→𝄞\t\n");
  EXPECT_EQ(markup_text(""), "");
}

TEST(MarkupText, ReplacesWhatXmlCannotHold) {
  const std::string bad = "\xEF\xBF\xBD";  // U+FFFD
  EXPECT_EQ(markup_text(std::string("a\0b", 3)), "a" + bad + "b");
  EXPECT_EQ(markup_text("\x01\x1B\x7F"), bad + bad + bad);
  EXPECT_EQ(markup_text("\xC2\x85"), bad);            // a control, as two bytes
  EXPECT_EQ(markup_text("\xEF\xBF\xBE"), bad);        // U+FFFE
  EXPECT_EQ(markup_text("x\xFFy"), "x" + bad + "y");  // no UTF-8
  EXPECT_EQ(markup_text("\xC3"), bad);                // cut off
}

TEST(InlineJson, EndsNoScriptAndSaysTheSame) {
  const nlohmann::json json = {{"</script><!--", "<b>&\""}};
  const std::string text = inline_json(json.dump());
  EXPECT_EQ(text.find('<'), std::string::npos);
  EXPECT_EQ(nlohmann::json::parse(text), json);
}

TEST(InlineScript, EndsNoScript) {
  EXPECT_EQ(inline_script("f(\"</script>\", '<!--')"), "f(\"<\\/script>\", '<\\!--')");
  EXPECT_EQ(inline_script("1 < 2"), "1 < 2");
}

TEST(FileName, HasLettersDigitsAndHyphens) {
  EXPECT_EQ(file_name("entropy/above_0.99"), "entropy-above-0-99");
  EXPECT_EQ(file_name("../A b"), "a-b");
  EXPECT_EQ(file_name("→"), "figure");
}

}  // namespace
}  // namespace tapehead
