#include <algorithm>
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
using ::testing::StartsWith;

constexpr int kUsageStatus = 2;
constexpr int kFailureStatus = 1;

// One line that says what is wrong, nothing on standard output, and a hint where help is.
void expect_usage_error(const Ended& ended, const std::string& what, const std::string& help) {
  EXPECT_EQ(ended.status, kUsageStatus) << ended.err;
  EXPECT_EQ(ended.out, "");
  EXPECT_THAT(ended.err, AllOf(StartsWith("tapehead: "), HasSubstr(what)));
  EXPECT_EQ(std::ranges::count(ended.err, '\n'), 2) << ended.err;
  EXPECT_THAT(ended.err, HasSubstr("\n  see: " + help + "\n"));
}

TEST(Usage, WrongCommandsAreNamedAndTheNearestSuggested) {
  const Program program;
  const Ended slip = program.run("trian copy");
  expect_usage_error(slip, "there is no command 'trian'", "tapehead --help");
  EXPECT_THAT(slip.err, HasSubstr("; did you mean 'train'?\n"));
  const Ended other = program.run("foo");
  expect_usage_error(other, "no command 'foo'; the commands are: train, eval", "tapehead --help");
  EXPECT_THAT(other.err, Not(HasSubstr("did you mean")));
  expect_usage_error(program.run(""), "a command is missing; the commands are: train",
                     "tapehead --help");
  expect_usage_error(program.run("--quiet"), "unknown option '--quiet'", "tapehead --help");
}

TEST(Usage, WrongArgumentsAreOneLineWithAHint) {
  const Program program;
  expect_usage_error(program.run("train copy --stepz 3"),
                     "train: unknown option '--stepz'; did you mean '--steps'?",
                     "tapehead train --help");
  expect_usage_error(program.run("info a b"), "info: 'b' is one argument too many",
                     "tapehead info --help");
  expect_usage_error(program.run("info"), "RUN", "tapehead info --help");
  expect_usage_error(program.run("train copy --steps"), "--steps", "tapehead train --help");
}

TEST(Usage, NumbersOutOfRangeAreRefusedWithOptionValueAndRange) {
  const struct {
    const char* arguments;
    const char* option;
    const char* value;
    const char* range;
  } table[] = {
      {"train copy --seed 99999999999999999999", "--seed", "'99999999999999999999'", "from 0 to"},
      {"train copy --steps 0", "--steps", "'0'", "from 1 to"},
      {"train copy --threads 1e9", "--threads", "'1e9'", "from 1 to 1024"},
      {"generate r --seed -1", "--seed", "'-1'", "from 0 to"},
      {"generate r --temperature nan", "--temperature", "'nan'", "finite number from 0"},
      {"generate r --temperature -1", "--temperature", "'-1'", "finite number from 0"},
      {"generate r --temperature inf", "--temperature", "'inf'", "finite number from 0"},
      {"generate r --top-k -1", "--top-k", "'-1'", "from 0 to"},
      {"generate r --tokens 3x", "--tokens", "'3x'", "from 1 to"},
      {"bench tiny --seconds nan", "--seconds", "'nan'", "from 0 to 3600"},
      {"bench tiny --seconds 1e999", "--seconds", "'1e999'", "from 0 to 3600"},
      {"eval r --length 0", "--length", "'0'", "from 1 to"},
      {"tasks copy --write y.h5 --seed -1", "--seed", "'-1'", "from 0 to 9223372036854775807"},
      {"tasks copy --write y.h5 --rows 0", "--rows", "'0'", "from 1 to"},
  };
  const Program program;
  for (const auto& bad : table) {
    const Ended ended = program.run(bad.arguments);
    EXPECT_EQ(ended.status, kUsageStatus) << bad.arguments;
    EXPECT_EQ(ended.out, "") << bad.arguments;
    EXPECT_THAT(ended.err, AllOf(HasSubstr(bad.option), HasSubstr(bad.value), HasSubstr(bad.range)))
        << bad.arguments;
  }
}

TEST(Usage, NumbersAreDecimal) {
  const Program program;
  program.train("r", "--seed 010");
  EXPECT_THAT(program.run("info r").out, HasSubstr("seed = 10\n"));
}

TEST(Output, WhatCannotBeWrittenIsAFailure) {
  const Program program;
  ASSERT_EQ(program.train("r").status, 0);
  for (const char* arguments :
       {"info r", "info r --json", "tasks", "tasks --json", "eval r --json", "--help", "--version",
        "train copy --steps 1 --out q", "train copy --steps 1 --json --out j"}) {
    const Ended ended = program.run(arguments, "", "> /dev/full");
    EXPECT_EQ(ended.status, kFailureStatus) << arguments;
    EXPECT_THAT(ended.err, HasSubstr("standard output could not be written")) << arguments;
  }
}

TEST(Output, AReaderThatClosesThePipeEndsTheProgramQuietly) {
  const Ended ended = Program().run("tasks", "", "| head -1 > stdout");
  EXPECT_THAT(ended.out, StartsWith("copy"));
  EXPECT_EQ(ended.err, "");
}

TEST(Output, NothingIsPrintedBeforeAnError) {
  const Program program;
  program.folder.write("bad.h5", "no HDF5");
  for (const char* arguments : {"tasks copy --set model.heads=3", "train bad.h5 --out r",
                                "train copy --set task.length=-1 --out r"}) {
    const Ended ended = program.run(arguments);
    EXPECT_NE(ended.status, 0) << arguments;
    EXPECT_EQ(ended.out, "") << arguments;
    EXPECT_THAT(ended.err, StartsWith("tapehead: ")) << arguments;
  }
  EXPECT_FALSE(std::filesystem::exists(program.folder / "r"));
}

#ifndef TAPEHEAD_THREAD_SANITIZER  // whose own files would meet the limit too
TEST(Output, AFileBeyondTheLimitIsAnErrorWithItsPlainReason) {
  const Program program;
  const Ended ended = program.run("tasks copy --write y.h5", "ulimit -f 8;");
  EXPECT_EQ(ended.status, kFailureStatus) << ended.err;
  EXPECT_THAT(ended.err,
              AllOf(HasSubstr("File too large"), Not(HasSubstr("errno")), Not(HasSubstr("buf ="))));
}
#endif

TEST(Tasks, OptionsOfWriteNeedIt) {
  const Program program;
  EXPECT_THAT(program.run("tasks copy --rows 5").err, HasSubstr("--write FILE, which is missing"));
  EXPECT_THAT(program.run("tasks --set task.length=5").err, HasSubstr("need the name of a task"));
}

TEST(Gradcheck, GuessesWhatAMisspelledNameMeant) {
  EXPECT_NE(Program().run("gradcheck atention").err.find("did you mean 'attention'?"),
            std::string::npos);
}

TEST(Gradcheck, ListsEachNameOnce) {
  const Ended ended = Program().run("gradcheck nothing");
  EXPECT_EQ(ended.status, kUsageStatus);
  const std::string list = ended.err.substr(ended.err.find("There are:")) + ",";
  for (const char* name : {" attention,", " dropout,", " embedding,", " linear,"}) {
    EXPECT_NE(list.find(name), std::string::npos) << name;
    EXPECT_EQ(list.find(name), list.rfind(name)) << name;
  }
}

}  // namespace
}  // namespace tapehead
