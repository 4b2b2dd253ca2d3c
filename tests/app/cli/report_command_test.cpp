#include <filesystem>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/app/cli/program.h"

namespace tapehead {
namespace {

using ::testing::AllOf;
using testing::Ended;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::Program;

bool exists(const Program& program, const char* name) {
  return std::filesystem::exists(program.folder / name);
}

TEST(Report, IsWrittenByTrainUnlessItIsNotWanted) {
  const Program program;
  const Ended ended = program.train("r");
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("the report is in r/report.html\n"));
  EXPECT_TRUE(exists(program, "r/report.html"));
  const Ended without = program.train("s", "--no-report");
  EXPECT_THAT(without.out, Not(HasSubstr("report")));
  EXPECT_FALSE(exists(program, "s/report.html"));
  EXPECT_THAT(program.train("t", "--json").out, HasSubstr("\"report\":\"t/report.html\""));
  EXPECT_THAT(program.train("u", "--json --no-report").out, HasSubstr("\"report\":null"));
}

TEST(Report, ThatCannotBeWrittenFailsNoRun) {
  const Program program;
  ASSERT_EQ(program.train("r", "--no-report").status, 0);
  program.folder.write("r/report.html", "a letter");
  const Ended ended = program.run("train --resume --out r --threads 1");
  EXPECT_EQ(ended.status, 0);
  EXPECT_THAT(ended.err, AllOf(HasSubstr("warning: the report was not written"),
                               HasSubstr("no report of ours")));
}

TEST(Report, ShowsSeveralRunsOnTheTerminalAndAsAPage) {
  const Program program;
  ASSERT_EQ(program.train("a", "--no-report").status, 0);
  ASSERT_EQ(program.train("b", "--no-report --seed 2").status, 0);
  const Ended one = program.run("report a");
  EXPECT_EQ(one.status, 0) << one.err;
  EXPECT_THAT(one.out, AllOf(HasSubstr("the report is in a/report.html"), HasSubstr("parameters"),
                             HasSubstr("attention of layer")));
  const Ended both = program.run("report a b -o both.html --svg pictures");
  EXPECT_EQ(both.status, 0) << both.err;
  EXPECT_THAT(both.out, HasSubstr("pictures are in pictures\nthe report is in both.html\n"));
  EXPECT_TRUE(exists(program, "both.html"));
  EXPECT_TRUE(exists(program, "pictures/training-loss.svg"));
  EXPECT_EQ(program.run("report a b -o both.html").status, 0);  // a report may be replaced
}

TEST(Report, WarnsOfMetricsThatCannotBeRead) {
  const Program program;
  ASSERT_EQ(program.train("a", "--no-report").status, 0);
  std::filesystem::resize_file(program.folder / "a/metrics.h5", 5000);
  const Ended ended = program.run("report a -o page.html");
  EXPECT_EQ(ended.status, 0);
  EXPECT_THAT(ended.err,
              AllOf(HasSubstr("warning: a: "), HasSubstr("metrics.h5: damaged, cut off")));
}

TEST(Report, SaysWhatIsWrong) {
  const Program program;
  ASSERT_EQ(program.train("a", "--no-report").status, 0);
  std::filesystem::create_directory(program.folder / "empty");
  program.folder.write("letter", "dear");
  const struct {
    const char* arguments;
    int status;
    const char* what;
  } table[] = {
      {"report", 2, "FOLDER is required"},
      {"report none", 1, "none: there is no such folder"},
      {"report empty", 1, "empty: this folder holds neither a run nor a study"},
      {"report letter", 1, "letter: is a file; name the folder of a run or study"},
      {"report a -o none/page.html", 2, "there is no folder"},
      {"report a -o letter", 2, "no report of ours"},
      {"report a -o a", 2, "a: is a folder; name a file to write"},
      {"report a -o ''", 2, "--out: the name is empty"},
      {"report a --svg ''", 2, "--svg: the name is empty"},
      {"report a --svg letter/pictures", 1, "cannot make the folder"},
      {"report a empty", 1, "neither a run nor a study"},
  };
  for (const auto& [arguments, status, what] : table) {
    const Ended ended = program.run(arguments);
    EXPECT_EQ(ended.status, status) << arguments;
    EXPECT_THAT(ended.err, HasSubstr(what)) << arguments;
  }
}

TEST(Report, IsPlainAsciiWhereAskedOrWhereTheLocaleSaysSo) {
  const Program program;
  ASSERT_EQ(program.train("a", "--no-report").status, 0);
  const auto is_ascii = [](const std::string& text) {
    return text.find_first_of("\xE2\xC2\xC3") == std::string::npos;
  };
  EXPECT_FALSE(is_ascii(program.run("report a", "export LC_ALL=C.UTF-8;").out));
  EXPECT_TRUE(is_ascii(program.run("report a --ascii", "export LC_ALL=C.UTF-8;").out));
  EXPECT_TRUE(is_ascii(program.run("report a", "export LC_ALL=C;").out));
  EXPECT_TRUE(is_ascii(program.run("train --resume --out a --no-report", "export LC_ALL=C;").out));
}

TEST(Report, PrintsOneJsonObject) {
  const Program program;
  ASSERT_EQ(program.train("a", "--no-report").status, 0);
  const Ended ended = program.run("report a --svg p --json");
  EXPECT_THAT(ended.out,
              AllOf(HasSubstr("{\"report\":\"a/report.html\",\"pictures\":[\"p/loss.svg\""),
                    ::testing::EndsWith("]}\n")));
}

}  // namespace
}  // namespace tapehead
