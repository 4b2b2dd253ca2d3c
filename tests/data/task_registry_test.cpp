#include "data/task_registry.h"

#include "tests/support/expect.h"
#include "tests/support/temp_dir.h"

namespace tapehead {
namespace {

using ::testing::ElementsAre;
using testing::expect_error;
using testing::TempDir;

TEST(TaskRegistry, KnowsItsTasks) {
  EXPECT_THAT(task_names(),
              ElementsAre("copy", "reverse", "sort", "addition", "recall", "text", "dataset"));
  for (const auto& info : task_infos()) {
    EXPECT_FALSE(info.description.empty());
    EXPECT_FALSE(info.example.empty());
    EXPECT_FALSE(info.keys.empty());
  }
}

TEST(TaskRegistry, MakesEachTaskWithItsDefaults) {
  const std::vector<std::pair<const char*, Index>> lengths{
      {"copy", 21}, {"reverse", 21}, {"sort", 21}, {"addition", 12}, {"recall", 12}};
  for (const auto& [name, length] : lengths) {
    TaskOptions options;
    options.name = name;
    const auto task = make_task(options);
    EXPECT_EQ(task->name(), name);
    EXPECT_EQ(task->length(), length) << name;
    EXPECT_EQ(task->held_out_rows(), 1000) << name;
    EXPECT_EQ(task->layout(), Layout::kCausal);
  }
}

TEST(TaskRegistry, UsesTheKeysGiven) {
  const TempDir dir;
  TaskOptions text;
  text.name = "text";
  text.path = dir.write("t.txt", std::string(100, 'x')).string();
  text.length = 5;
  text.validation = 0.5;
  EXPECT_EQ(make_task(text)->length(), 5);
  EXPECT_EQ(make_task(text)->held_out_rows(), 10);
  TaskOptions recall;
  recall.name = "recall";
  recall.layout = Layout::kParallel;
  recall.pairs = 2;
  recall.keys = 3;
  recall.values = 4;
  recall.held_out = 15;
  EXPECT_EQ(make_task(recall)->vocabulary(), 3 + 4 + 3);
  EXPECT_EQ(make_task(recall)->length(), 8);
  EXPECT_EQ(make_task(recall)->held_out_rows(), 15);
  EXPECT_EQ(make_task(recall)->layout(), Layout::kParallel);
  TaskOptions addition;
  addition.name = "addition";
  addition.digits = 2;
  addition.reversed = false;
  EXPECT_EQ(make_task(addition)->length(), 9);
}

TEST(TaskRegistry, DefaultsAreThoseItShows) {
  for (const auto& name : task_names()) {
    TaskOptions options;
    options.name = name;
    options.path =
        name == "text" || name == "dataset" ? std::optional<std::string>("x") : std::nullopt;
    const auto full = with_defaults(options);
    const auto shown = [&](const char* key) {
      for (const auto& k : task_info(name).keys) {
        if (k.name == key) return k.default_value;
      }
      return std::string("none");
    };
    const auto value = [](const auto& option) {
      return option ? ::testing::PrintToString(*option) : std::string("none");
    };
    EXPECT_EQ(shown("length"), value(full.length)) << name;
    EXPECT_EQ(shown("symbols"), value(full.symbols)) << name;
    EXPECT_EQ(shown("digits"), value(full.digits)) << name;
    EXPECT_EQ(shown("reversed"), value(full.reversed)) << name;
    EXPECT_EQ(shown("pairs"), value(full.pairs)) << name;
    EXPECT_EQ(shown("keys"), value(full.keys)) << name;
    EXPECT_EQ(shown("values"), value(full.values)) << name;
    EXPECT_EQ(shown("held_out"), value(full.held_out)) << name;
    EXPECT_EQ(shown("validation"), value(full.validation)) << name;
  }
}

TEST(TaskRegistry, RefusesUnknownTasksAndKeys) {
  const TempDir dir;
  const auto path = dir.write("t.txt", "text").string();
  TaskOptions options;
  options.name = "revrse";
  expect_error<ValueError>(
      [&] { make_task(options); },
      "there is no task 'revrse'; tasks are copy, reverse, sort, addition, recall, text, dataset$");
  options.name = path;
  expect_error<ValueError>([&] { make_task(options); },
                           "t.txt'; tasks are .*; '.*t.txt' is a file: use task text");
  options = {};
  options.name = "copy";
  options.digits = 3;
  expect_error<ValueError>([&] { make_task(options); },
                           "task copy has no key 'digits'; its keys are length, symbols, held_out");
  options = {};
  options.name = "text";
  expect_error<ValueError>([&] { make_task(options); }, "task text needs the key 'path': the file");
  options.path = path;
  options.layout = Layout::kParallel;
  expect_error<ValueError>([&] { make_task(options); }, "task text needs a decoder");
  options.layout = Layout::kSourceTarget;
  expect_error<ValueError>([&] { make_task(options); }, "task text has no sources");
}

}  // namespace
}  // namespace tapehead
