#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/app/cli/program.h"

namespace tapehead {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using testing::Ended;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::Program;

TEST(TasksCommand, ListsEveryTaskWithAnExample) {
  const Program program;
  const Ended list = program.run("tasks");
  EXPECT_THAT(list.out, AllOf(HasSubstr("reverse "), HasSubstr("3 1 4 > 4 1 3"), HasSubstr("mqar "),
                              HasSubstr("names ")));
  const json tasks = json::parse(program.run("tasks --json").out)["tasks"];
  EXPECT_EQ(tasks.size(), 21U);
  for (const json& task : tasks) {
    for (const char* field : {"name", "description", "example", "measure", "chance", "source"}) {
      EXPECT_NE(task[field].get<std::string>(), "") << task["name"];
    }
    EXPECT_THAT(list.out, HasSubstr(task["name"].get<std::string>()));
    EXPECT_THAT(list.out, HasSubstr(task["example"].get<std::string>()));
  }
}

TEST(TasksCommand, ShowsWhatATaskIsWithTheSettingsGiven) {
  const Program program;
  const Ended copy = program.run("tasks copy --set task.length=2 --set task.symbols=10");
  EXPECT_THAT(copy.out, AllOf(HasSubstr("measure: share of answers that are wholly right\n"),
                              HasSubstr("with these settings: 0.01\n"), HasSubstr("source: "),
                              HasSubstr("(10 to 1000000; default 1000)"),
                              HasSubstr("held-out examples with these settings (")));
  const std::string by_default = program.run("tasks copy").out;
  EXPECT_THAT(by_default, AllOf(HasSubstr("\nin short: 3 1 4 > 3 1 4\n"),
                                HasSubstr("held-out examples as difficult as by default (")));
  const auto input = by_default.substr(by_default.find("  input   "));
  EXPECT_EQ(input.find('>'), std::string("  input   0 1 2 3 4 5 6 7 8 9 >").size() - 1);
  const json told = json::parse(
      program.run("tasks addition --json --set task.digits=2 --set task.reversed=false").out);
  EXPECT_DOUBLE_EQ(told["chance_value"].get<double>(), 0.01);
  EXPECT_EQ(told["held_out_rows"], 1000);
  EXPECT_EQ(told["keys"][0]["name"], "digits");
  EXPECT_EQ(told["keys"][0]["limits"], "1 to 100");
  ASSERT_EQ(told["examples"].size(), 5U);
  for (const json& example : told["examples"]) {
    int a = 0, b = 0, c = 0;  // "  input   A A + B B > C C C"
    const auto text = example.get<std::string>();
    std::string packed;
    for (const char ch : text.substr(0, text.find('\n'))) {
      if (ch != ' ') packed += ch;
    }
    ASSERT_EQ(std::sscanf(packed.c_str(), "input%d+%d>%d", &a, &b, &c), 3) << text;
    EXPECT_EQ(a + b, c);
  }
}

TEST(TasksCommand, ShowsNumbersAndSourcesToo) {
  const Program program;
  EXPECT_THAT(program.run("tasks regression").out, HasSubstr(" 0.00 0.00 0.00 0.00)"));
  EXPECT_THAT(program.run("tasks dyck --set model.kind=encoder").err,
              HasSubstr("task dyck needs a causal model"));
  const Ended written = program.run("tasks regression --write d.h5");
  EXPECT_EQ(written.status, 2);
  EXPECT_THAT(written.err, HasSubstr("a data set holds tokens"));
}

TEST(TasksCommand, ShowsNoExamplesWithoutAFile) {
  const Program program;
  const Ended names = program.run("tasks names");
  EXPECT_EQ(names.status, 0);
  EXPECT_THAT(names.out, AllOf(HasSubstr("makemore"), Not(HasSubstr("examples ("))));
}

}  // namespace
}  // namespace tapehead
