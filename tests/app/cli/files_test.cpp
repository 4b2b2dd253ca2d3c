// What the program does to files and folders that a user names.

#include <filesystem>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/app/cli/program.h"

namespace tapehead {
namespace {

using testing::Ended;
using ::testing::HasSubstr;
using testing::Program;

constexpr int kRefused = 2;

std::string content(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// The program with `arguments`, and a signal as soon as it has made the folder `run`.
Ended stopped_by(const Program& program, const std::string& signal, const std::string& arguments) {
  return program.run("train " + arguments + " --threads 1 --out run", "",
                     "> stdout & p=$!; until [ -e run/config.toml ]; do sleep 0.05; done; "
                     "sleep 0.3; kill -" +
                         signal + " $p; wait $p");
}

TEST(WrittenFiles, AnExistingFileIsOverwrittenOnlyByForce) {
  const Program program;
  const auto path = program.folder.write("precious.txt", "precious");
  const std::string command = "tasks copy --rows 3 --write ";
  const Ended refused = program.run(command + "precious.txt");
  EXPECT_EQ(refused.status, kRefused);
  EXPECT_THAT(refused.err, HasSubstr("precious.txt: this file exists already; name another one, or "
                                     "overwrite it by --force"));
  EXPECT_EQ(content(path), "precious");
  EXPECT_EQ(program.run(command + "precious.txt --force").status, 0);
  EXPECT_NE(content(path), "precious");
  EXPECT_EQ(program.run(command + "new.h5").status, 0);
  EXPECT_TRUE(std::filesystem::exists(program.folder / "new.h5"));
}

TEST(WrittenFiles, WhatIsNoFileIsNotReplacedByOne) {
  const Program program;
  std::filesystem::create_directory(program.folder / "folder");
  const Ended refused = program.run("tasks copy --rows 3 --write folder --force");
  EXPECT_EQ(refused.status, kRefused);
  EXPECT_THAT(refused.err, HasSubstr("folder: this is no file"));
}

class Stopping : public ::testing::TestWithParam<std::pair<std::string, int>> {};

TEST_P(Stopping, WritesACheckpointAndEndsTheProgram) {
  // Several times: a signal must do no harm wherever in a step it comes.
  for (int i = 0; i < 8; ++i) {
    const Program program;
    const auto& [signal, status] = GetParam();
    const Ended ended = stopped_by(program, signal, "copy --steps 1000000");
    EXPECT_EQ(ended.status, status) << ended.err;
    EXPECT_THAT(ended.out, HasSubstr("go on with: tapehead train --resume --out run"));
    const Ended info = program.run("info run");
    EXPECT_EQ(info.status, 0) << info.err;
  }
}

INSTANTIATE_TEST_SUITE_P(Signals, Stopping,
                         ::testing::Values(std::pair("INT", 130), std::pair("TERM", 143)),
                         [](const auto& test) { return test.param.first; });

TEST(StoppingTwice, EndsTheProgramAtOnce) {
  const Program program;
  // The step would take minutes.
  const Ended ended = program.run("train copy --set train.batch=100000 --threads 1 --out run", "",
                                  "> stdout & p=$!; until [ -e run/config.toml ]; do sleep 0.05; "
                                  "done; kill -INT $p; sleep 0.3; "
                                  "kill -INT $p; wait $p");
  EXPECT_EQ(ended.status, 130) << ended.err;
  EXPECT_EQ(ended.out.find("go on with"), std::string::npos);
}

TEST(StoppingAValidation, GivesItUp) {
  const Program program;
  // The million rows take a minute or more; the test would end much later than the signal.
  const Ended ended = stopped_by(
      program, "INT", "reverse --set task.length=8 --set task.held_out=1000000 --steps 1");
  EXPECT_EQ(ended.status, 130) << ended.err;
  EXPECT_EQ(ended.out.find("validation loss"), std::string::npos);
}

TEST(RunsInUse, ASecondProcessIsRefused) {
  const Program program;
  const Ended ended = program.run(
      "train copy --steps 1000000 --threads 1 --out run", "",
      "> first & p=$!; until [ -e run/config.toml ]; do sleep 0.05; done; '" TAPEHEAD_PROGRAM
      "' train --resume --out run > stdout; kill -KILL $p; wait $p 2> /dev/null");
  EXPECT_THAT(ended.err, HasSubstr("run: this run is being trained by another process"));
  // The kernel has released the lock of the process that was killed.
  EXPECT_EQ(
      program.run("train --resume --out run --threads 1", "timeout --preserve-status -s INT 2")
          .status,
      130);
}

}  // namespace
}  // namespace tapehead
