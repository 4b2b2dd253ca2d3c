#include "train/config/words.h"

#include <set>
#include <string>

#include <fmt/format.h>

#include "tests/support/expect.h"
#include "train/config/config_keys.h"

namespace tapehead {
namespace {

// The enumerators from the first one to `last` are those of an enumeration.
template <typename Enum>
void expect_words_up_to(Enum last) {
  std::set<std::string_view> names;
  for (int i = 0; i <= static_cast<int>(last); ++i) {
    const auto value = static_cast<Enum>(i);
    const std::string_view name = name_of(value);
    EXPECT_FALSE(name.empty()) << "enumerator " << i << " has no word";
    EXPECT_TRUE(names.insert(name).second) << name << " stands for two values";
    EXPECT_EQ(value_of<Enum>(name), value) << name;
  }
  EXPECT_EQ(words<Enum>().size(), names.size()) << "a value has two words";
  for (const Word<Enum>& word : words<Enum>()) EXPECT_FALSE(word.meaning.empty()) << word.name;
  EXPECT_FALSE(value_of<Enum>("no such word"));
  EXPECT_FALSE(value_of<Enum>(""));
}

TEST(Words, EveryValueHasOneWordAndOneMeaning) {
  expect_words_up_to(ModelKind::kConv);
  expect_words_up_to(PositionKind::kNone);
  expect_words_up_to(AttentionScores::kAdditive);
  expect_words_up_to(AttentionScale::Kind::kLogLength);
  expect_words_up_to(SharedProjections::kQKV);
  expect_words_up_to(NormPlacement::kPost);
  expect_words_up_to(NormKind::kRms);
  expect_words_up_to(Activation::kSilu);
  expect_words_up_to(InitOptions::Scheme::kUnitQueriesAndKeys);
  expect_words_up_to(OptimizerKind::kSgd);
  expect_words_up_to(ScheduleKind::kInverseSqrt);
  expect_words_up_to(ProbeChoice::Mode::kNone);
  expect_words_up_to(ProbeKind::kGradients);
}

TEST(Words, ANumberAndAListAreNoWords) {
  EXPECT_EQ(name_of(AttentionScale::Kind::kNumber), "");
  EXPECT_EQ(name_of(ProbeChoice::Mode::kListed), "");
}

// The parser, the printer and the documentation take them from the same table.
TEST(Words, EachIsReadPrintedAndExplained) {
  Index checked = 0;
  for (const ConfigKey& key : config_keys()) {
    for (const WordMeaning& word : key.words()) {
      const std::string section(key.section()), name(key.short_name());
      const auto line = fmt::format("{} = \"{}\"", name, word.name);
      const Config config = parse_config(fmt::format("[{}]\n{}", section, line), "test");
      EXPECT_NE(to_toml(config).find("\n" + line + "\n"), std::string::npos) << line;
      ++checked;
      EXPECT_NE(key.allowed_text().find(fmt::format("\"{}\"", word.name)), std::string::npos);
      EXPECT_NE(configuration_reference().find(
                    fmt::format("| `\"{}\"` | {} |\n", word.name, word.meaning)),
                std::string::npos)
          << line;
    }
  }
  EXPECT_GT(checked, 50);
}

TEST(Words, AnUnknownOneIsRefusedWithThoseThereAre) {
  for (const ConfigKey& key : config_keys()) {
    if (key.words().empty()) continue;
    testing::expect_error<ValueError>(
        [&] {
          parse_config(fmt::format("[{}]\n{} = \"nonsense\"", key.section(), key.short_name()),
                       "run.toml");
        },
        fmt::format("run.toml:2: {} = \"nonsense\"; it must be one of \"{}\"", key.name,
                    key.words().front().name));
  }
}

}  // namespace
}  // namespace tapehead
