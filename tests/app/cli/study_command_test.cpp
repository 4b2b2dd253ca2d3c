#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/app/cli/program.h"

namespace tapehead {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::Program;

TEST(StudyCommand, ListsTheStudies) {
  const Program program;
  const auto shown = program.run("study");
  EXPECT_EQ(shown.status, 0) << shown.err;
  const json list = json::parse(program.run("study --json").out);
  ASSERT_GE(list["studies"].size(), 3U);
  for (const json& study : list["studies"]) {
    EXPECT_THAT(shown.out, HasSubstr(study["name"].get<std::string>()));
    EXPECT_THAT(shown.out, HasSubstr(study["question"].get<std::string>()));
    EXPECT_GE(study["minutes"], 1);
    EXPECT_EQ(study["needs_run"], study["name"] == "heads");
  }
}

TEST(StudyCommand, RefusesWhatMakesNoSense) {
  const Program program;
  const auto unknown = program.run("study headz");
  EXPECT_EQ(unknown.status, 2);
  EXPECT_THAT(unknown.err, HasSubstr("there is no study 'headz'; the studies are "));
  EXPECT_THAT(unknown.err, HasSubstr("heads"));
  EXPECT_THAT(program.run("study saturatoin").err, HasSubstr("did you mean 'saturation'?"));
  EXPECT_THAT(program.run("study Heads").err, HasSubstr("did you mean 'heads'?"));
  for (const char* nameless : {"study --quick", "study --out x", "study ''"}) {
    const auto refused = program.run(nameless);
    EXPECT_EQ(refused.status, 2) << nameless;
    EXPECT_THAT(refused.err, HasSubstr("the name of the study is missing")) << nameless;
  }
  const auto no_folder = program.run("study complexity --quick --out ''");
  EXPECT_EQ(no_folder.status, 2);
  EXPECT_THAT(no_folder.err, HasSubstr("--out '' is no folder"));
  const auto no_run = program.run("study heads");
  EXPECT_EQ(no_run.status, 2);
  EXPECT_THAT(no_run.err, HasSubstr("name its folder: tapehead study heads runs/NAME"));
  const auto with_run = program.run("study complexity runs/x");
  EXPECT_EQ(with_run.status, 2);
  EXPECT_THAT(with_run.err, HasSubstr("'runs/x' was given beside it"));
  const auto missing = program.run("study heads nowhere --quick");
  EXPECT_EQ(missing.status, 1);
  EXPECT_THAT(missing.err, HasSubstr("nowhere"));
  EXPECT_FALSE(std::filesystem::exists(program.folder / "runs"));
}

TEST(StudyCommand, LeavesAFolderAndPrintsTables) {
  const Program program;
  ASSERT_EQ(program.train("run").status, 0);
  const auto shown = program.run("study heads run --quick --threads 1 --out s");
  EXPECT_EQ(shown.status, 0) << shown.err;
  EXPECT_THAT(shown.out, HasSubstr("accuracy_drop"));
  EXPECT_LT(shown.out.find("What does not follow: "), shown.out.find("accuracy_drop"));
  EXPECT_THAT(shown.out, HasSubstr("the study is in s\n"));
  for (const char* file : {"study.json", "study.h5", "cells.json", "report.html"}) {
    EXPECT_TRUE(std::filesystem::exists(program.folder / "s" / file)) << file;
  }
  const auto again = program.run("study heads run --quick --threads 1 --out s");
  EXPECT_THAT(again.out, HasSubstr("11 of 11 cells were computed before"));
}

TEST(StudyCommand, WithJsonPrintsOneObjectAndNothingElse) {
  const Program program;
  ASSERT_EQ(program.train("run").status, 0);
  const auto one = program.run("study heads run --quick --json --threads 1");
  EXPECT_EQ(one.status, 0) << one.err;
  EXPECT_EQ(std::count(one.out.begin(), one.out.end(), '\n'), 1);
  const json told = json::parse(one.out);
  EXPECT_EQ(told["study"], "heads");
  EXPECT_EQ(told["quick"], true);
  EXPECT_EQ(told["rows"].size(), 8U);
  EXPECT_TRUE(told["rows"][0]["loss_increase"].contains("se"));
  EXPECT_THAT(one.err, HasSubstr("left"));
  EXPECT_TRUE(std::filesystem::exists(program.folder / "runs" / "heads-001" / "study.json"));
  // The same for another number of threads.
  EXPECT_EQ(program.run("study heads run --quick --json --threads 2").out, one.out);
}

TEST(StudyCommand, RefusesFoldersThatCannotHoldIt) {
  const Program program;
  ASSERT_EQ(program.train("run").status, 0);
  program.folder.write("file", "");
  const auto file = program.run("study heads run --quick --out file/s");
  EXPECT_EQ(file.status, 1);
  EXPECT_THAT(file.err, HasSubstr("cannot make the folder"));
  ASSERT_EQ(program.run("study heads run --quick --out s").status, 0);
  const auto other = program.run("study complexity --quick --out s");
  EXPECT_EQ(other.status, 1);
  EXPECT_THAT(other.err,
              HasSubstr("the finished study 'heads' --quick, not of 'complexity' --quick"));
  EXPECT_THAT(program.run("study heads run --quick --out run").err,
              HasSubstr("run: this folder holds a run"));
  const auto whole = program.run("study heads run --out s");
  EXPECT_EQ(whole.status, 1);
  EXPECT_THAT(whole.err, HasSubstr("'heads' --quick, not of 'heads'; choose another --out"));
}

TEST(StudyCommand, StopsWhenAskedAndSaysHowToGoOn) {
  const Program program;
  const auto stopped = program.run(
      "study complexity --quick --out s", "",
      "> stdout & p=$!; until [ -e s/cells.json ]; do sleep 0.05; done; kill -INT $p; wait $p");
  EXPECT_EQ(stopped.status, 128 + 2) << stopped.err;
  EXPECT_THAT(stopped.err,
              HasSubstr("interrupted; go on with: tapehead study complexity --quick --out s\n"));
  EXPECT_FALSE(std::filesystem::exists(program.folder / "s" / "study.json"));
}

}  // namespace
}  // namespace tapehead
