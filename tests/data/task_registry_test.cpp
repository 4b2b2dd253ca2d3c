#include "data/task_registry.h"

#include <fmt/format.h>

#include "tests/support/expect.h"
#include "tests/support/temp_dir.h"

namespace tapehead {
namespace {

using ::testing::ElementsAre;
using testing::expect_error;
using testing::TempDir;

TEST(TaskRegistry, KnowsItsTasks) {
  EXPECT_THAT(task_names(),
              ElementsAre("copy", "reverse", "sort", "addition", "multiplication",
                          "modular_addition", "parity", "majority", "dyck", "recall", "mqar",
                          "long_recall", "induction", "bigrams", "selective_copy", "coreference",
                          "translation", "names", "text", "regression", "dataset"));
  for (const auto& info : task_infos()) {
    EXPECT_FALSE(info.description.empty()) << info.name;
    EXPECT_FALSE(info.example.empty()) << info.name;
    EXPECT_FALSE(info.measure.empty()) << info.name;
    EXPECT_FALSE(info.chance.empty()) << info.name;
    EXPECT_FALSE(info.source.empty()) << info.name;
    EXPECT_FALSE(info.keys.empty()) << info.name;
  }
}

TEST(TaskRegistry, MakesEachTaskWithItsDefaults) {
  const std::vector<std::pair<const char*, Index>> lengths{
      {"copy", 21},   {"reverse", 21},        {"sort", 21},        {"addition", 12},
      {"recall", 12}, {"multiplication", 10}, {"parity", 33},      {"selective_copy", 41},
      {"dyck", 64},   {"coreference", 15},    {"translation", 13}, {"long_recall", 34}};
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
  for (const auto& info : task_infos()) {
    TaskOptions options;
    options.name = info.name;
    const bool needs_file = info.keys.front().name == "path";
    if (needs_file) options.path = "x";
    const auto full = with_defaults(options);
    for (const TaskField& field : task_fields()) {
      std::string shown = "none";
      for (const auto& key : info.keys) {
        if (key.name == field.name)
          shown = needs_file && key.name == "path" ? "x" : key.default_text();
      }
      const std::string value = std::visit(
          [&](auto pointer) {
            const auto& option = full.*pointer;
            return option ? fmt::format("{}", *option) : std::string("none");
          },
          field.member);
      EXPECT_EQ(shown, value) << info.name << ", " << field.name;
    }
  }
}

TEST(TaskRegistry, RefusesUnknownTasksAndKeys) {
  const TempDir dir;
  const auto path = dir.write("t.txt", "text").string();
  TaskOptions options;
  options.name = "revrse";
  expect_error<ValueError>(
      [&] { make_task(options); },
      "there is no task 'revrse'; tasks are copy, reverse, sort, .*, text, regression, dataset$");
  options.name = path;
  expect_error<ValueError>([&] { make_task(options); },
                           "t.txt'; tasks are .*; '.*t.txt' is a file: use task text");
  options = {};
  options.name = "copy";
  options.digits = 3;
  expect_error<ValueError>(
      [&] { make_task(options); },
      "task copy has no key 'digits'; its keys are length, symbols, min_length, held_out");
  options = {};
  options.name = "text";
  expect_error<ValueError>([&] { make_task(options); }, "task text needs the key 'path': the file");
  options.path = path;
  options.layout = Layout::kParallel;
  expect_error<ValueError>([&] { make_task(options); }, "task text needs a causal model");
  options.layout = Layout::kSourceTarget;
  expect_error<ValueError>([&] { make_task(options); }, "task text has no sources");
  options = {};
  for (const char* name : {"dyck", "bigrams", "regression"}) {
    options.name = name;
    options.layout = Layout::kParallel;
    expect_error<ValueError>(
        [&] { make_task(options); },
        std::string("task ") + name + " needs a causal model: an encoder sees");
    options.layout = Layout::kSourceTarget;
    expect_error<ValueError>([&] { make_task(options); }, "has no sources");
  }
}

}  // namespace
}  // namespace tapehead
