#include "data/vocabulary.h"

#include "base/utf8.h"
#include "tests/support/expect.h"

namespace tapehead {
namespace {

using ::testing::ElementsAre;
using testing::expect_error;
using ::testing::IsEmpty;
using Style = Vocabulary::Style;

const Vocabulary& digits() {
  static const Vocabulary vocabulary({"0", "1", "2", "3", ">"}, Style::kWords);
  return vocabulary;
}

TEST(Vocabulary, SingleCharactersNeedNoSpaces) {
  EXPECT_THAT(digits().encode("3 1 2 >"), ElementsAre(3, 1, 2, 4));
  EXPECT_THAT(digits().encode("312>"), ElementsAre(3, 1, 2, 4));
  EXPECT_THAT(digits().encode(" 31\t2\n> "), ElementsAre(3, 1, 2, 4));
  EXPECT_THAT(digits().encode(" "), IsEmpty());
  EXPECT_EQ(digits().decode(digits().encode("312>")), "3 1 2 >");
}

TEST(Vocabulary, WordsAreSeparatedByWhiteSpace) {
  const Vocabulary words({"1", "2", "12", "größer"}, Style::kWords);
  EXPECT_THAT(words.encode("12 1  2\ngrößer"), ElementsAre(2, 0, 1, 3));
  EXPECT_EQ(words.decode(std::vector<TokenId>{3, 2}), "größer 12");
  expect_error<ValueError>([&] { words.encode("1 21 größer2 21"); },
                           "unknown symbols '21' at 3, 'größer2' at 6; the model knows 1 2 12 gr");
}

TEST(Vocabulary, TextKeepsItsWhiteSpace) {
  const std::vector<char32_t> characters{U'\n', U' ', U'a', U'ß', U'😀'};
  const auto text = Vocabulary::from_code_points(characters);
  EXPECT_THAT(text.encode("a ß\n😀"), ElementsAre(2, 1, 3, 0, 4));
  EXPECT_EQ(text.decode(std::vector<TokenId>{2, 1, 3, 0, 4}), "a ß\n😀");
  EXPECT_EQ(text.symbol(0), "\\n");
  EXPECT_EQ(text.symbol(1), "␣");
  EXPECT_EQ(text.symbol(4), "😀");
  EXPECT_EQ(text.code_points(), characters);
  EXPECT_EQ(Vocabulary(text.symbols(), text.style()).encode("ß"), text.encode("ß"));
}

TEST(Vocabulary, ShowsInvisibleCharacters) {
  const std::vector<char32_t> characters{0, U'\r', U'\t', 0x7F, 0xA0, 0x200B, 0xFEFF, U'x'};
  const auto text = Vocabulary::from_code_points(characters);
  std::string shown;
  for (TokenId t = 0; t < text.size(); ++t) shown += text.symbol(t) + " ";
  EXPECT_EQ(shown, "U+0000 \\r \\t U+007F U+00A0 U+200B U+FEFF x ");
}

TEST(Vocabulary, NamesUnknownSymbolsAndTheirPlaces) {
  expect_error<ValueError>([] { digits().encode("3x1 ß x"); },
                           "encode: unknown symbols 'x' at 2, 'ß' at 5; the model knows 0 1 2 3 >");
  expect_error<ValueError>([] { digits().encode("abcdefghijklm"); },
                           "'j' at 10, 3 more; the model");
  expect_error<ValueError>([] { digits().encode("1\xFF"); },
                           "encode: invalid UTF-8 at byte 2: 0xFF begins no character");
  std::vector<char32_t> many;
  for (char32_t c = 0x4E00; c < 0x4E00 + 100; ++c) many.push_back(c);
  expect_error<ValueError>([&] { Vocabulary::from_code_points(many).encode("a"); },
                           "'a' at 1; the model knows the 100 symbols of its vocabulary");
}

TEST(Vocabulary, ErrorsShowInvisibleCharactersAsWords) {
  const Vocabulary text({"\n", " ", "a"}, Style::kText);
  expect_error<ValueError>([&] { text.encode("a\tb"); },
                           "unknown symbols '\\\\t' at 2, 'b' at 3; the model knows \\\\n ␣ a$");
}

TEST(Vocabulary, RefusesTokensOutsideIt) {
  expect_error<ValueError>([] { digits().symbol(5); }, "token 5; there are tokens 0 to 4");
  expect_error<ValueError>([] { digits().decode(TokenId{-1}); }, "token -1; there are tokens 0 to");
}

TEST(Vocabulary, RefusesImpossibleSymbols) {
  const auto make = [](std::vector<std::string> symbols, Style style) {
    return [symbols, style] { Vocabulary(symbols, style); };
  };
  expect_error<ValueError>(make({}, Style::kWords), "no symbols; at least one is needed");
  expect_error<ValueError>(make({"a", ""}, Style::kWords), "symbol 1 is empty");
  expect_error<ValueError>(make({"a", "b", "a"}, Style::kWords),
                           "symbol 2 is 'a', and so is symbol 0");
  expect_error<ValueError>(make({"a b"}, Style::kWords), "symbol 0 is 'a b'; a word has no white");
  expect_error<ValueError>(make({"ab"}, Style::kText), "symbol 0 is 'ab'; a text's symbols are");
  expect_error<ValueError>(make({"\xC3"}, Style::kText), "symbol 0: invalid UTF-8 at byte 1");
  expect_error<ValueError>(
      [] {
        Vocabulary::from_code_points(std::vector<char32_t>{U'a', 0xD800});
      },
      "symbol 1 is 0xD800, which is no character");
  expect_error<StateError>([] { digits().code_points(); }, "words have no list of code points");
}

struct BadUtf8 {
  const char* bytes;
  std::size_t byte;
  const char* what;
};

TEST(Utf8, FindsEveryKindOfProblemAndItsPlace) {
  const BadUtf8 table[] = {
      {"ab\x80", 2, "0x80 begins no character"},
      {"\xBF", 0, "0xBF begins no character"},
      {"a\xF8\x88\x80\x80\x80", 1, "0xF8 begins no character"},
      {"\xFF", 0, "0xFF begins no character"},
      {"\xC0\xAF", 0, "an overlong form"},  // '/' in two bytes
      {"\xC1\xBF", 0, "an overlong form"},
      {"é\xE0\x80\xAF", 2, "an overlong form"},  // '/' in three
      {"\xE0\x9F\xBF", 0, "an overlong form"},
      {"\xF0\x80\x80\xAF", 0, "an overlong form"},  // '/' in four
      {"\xF0\x8F\xBF\xBF", 0, "an overlong form"},
      {"\xED\xA0\x80", 0, "a surrogate"},   // U+D800
      {"x\xED\xBF\xBF", 1, "a surrogate"},  // U+DFFF
      {"\xF4\x90\x80\x80", 0, "a value beyond U+10FFFF"},
      {"\xF7\xBF\xBF\xBF", 0, "a value beyond U+10FFFF"},
      {"ab\xC3", 2, "the end cuts a character"},
      {"\xE2\x82", 0, "the end cuts a character"},
      {"\xF0\x9F\x98", 0, "the end cuts a character"},
      {"\xC3(", 0, "a character is cut short by 0x28"},
      {"ok\xE2\x82(", 2, "a character is cut short by 0x28"},
      {"\xE2\x82\xE2\x82\xAC", 0, "a character is cut short by 0xE2"},
  };
  for (const auto& bad : table) {
    std::vector<char32_t> characters;
    const auto problem = decode_utf8(bad.bytes, characters);
    ASSERT_TRUE(problem.has_value()) << bad.what << " at " << bad.byte;
    EXPECT_EQ(problem->byte, bad.byte) << bad.what;
    EXPECT_EQ(problem->what, bad.what);
  }
}

TEST(Utf8, KnowsTheEdgesOfEachLength) {
  // The first and last code points of each length, and the neighbours of the surrogates.
  const std::string bytes(
      "\0\x7F\xC2\x80\xDF\xBF\xE0\xA0\x80\xED\x9F\xBF\xEE\x80\x80\xEF\xBF\xBF"
      "\xF0\x90\x80\x80\xF4\x8F\xBF\xBF",
      26);
  std::vector<char32_t> characters;
  EXPECT_FALSE(decode_utf8(bytes, characters).has_value());
  EXPECT_THAT(characters,
              ElementsAre(0, 0x7F, 0x80, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFF, 0x10000, 0x10FFFF));
  std::string back;
  for (const char32_t c : characters) append_utf8(back, c);
  EXPECT_EQ(back, bytes);
}

TEST(Utf8, WritesEveryCharacterSoThatItIsReadBack) {
  for (char32_t c = 0; c <= 0x10FFFF; ++c) {
    if (!is_scalar_value(c)) continue;
    std::vector<char32_t> back;
    ASSERT_FALSE(decode_utf8(to_utf8(c), back).has_value());
    ASSERT_EQ(back, std::vector<char32_t>{c});
  }
  EXPECT_FALSE(is_scalar_value(0xD800));
  EXPECT_FALSE(is_scalar_value(0xDFFF));
  EXPECT_FALSE(is_scalar_value(0x110000));
}

}  // namespace
}  // namespace tapehead
