#include <filesystem>
#include <fstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/app/cli/program.h"

namespace tapehead {
namespace {

using ::testing::AllOf;
using testing::Ended;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::Program;

void expect_refused(const Ended& ended, const std::string& what) {
  EXPECT_NE(ended.status, 0);
  EXPECT_EQ(ended.out, "");
  EXPECT_THAT(ended.err, HasSubstr(what));
}

TEST(TrainMemory, WhatCannotFitIsRefusedAndNamesTheKey) {
  const Program program;
  for (const char* key : {"model.d_model=1000000000", "model.layers=1000000000",
                          "train.batch=1000000000", "train.steps=9223372036854775807"}) {
    const std::string setting = key;
    const Ended ended = program.run("train copy --out r --set " + setting);
    expect_refused(ended, "out of memory: training needs at least");
    EXPECT_THAT(ended.err, AllOf(HasSubstr("this machine has"),
                                 HasSubstr(setting.substr(0, setting.find('=')))));
  }
  EXPECT_FALSE(std::filesystem::exists(program.folder / "r"));
}

TEST(TrainMemory, ADeviceWithoutEndIsNoText) {
  const Program program;
  expect_refused(program.run("train /dev/zero"), "'/dev/zero' is a device or a pipe");
  std::filesystem::create_symlink("/dev/zero", program.folder / "zero.toml");
  expect_refused(program.run("train zero.toml"), "zero.toml: this is a device or a pipe");
}

// There are 100 prompts of two digits, of which at most ten are held out; 100 of those of three
// digits.
TEST(TrainHeader, SaysWhyFewerRowsAreHeldOut) {
  const Program program;
  const std::string tiny =
      "train copy --steps 1 --set model.d_model=8 --set model.heads=2 --set train.batch=4 ";
  EXPECT_THAT(program.run(tiny + "--out a --set task.length=2 --set task.held_out=50").out,
              HasSubstr("; 10 rows held out (task.held_out = 50, but only a tenth of all "
                        "examples may be)\n"));
  EXPECT_THAT(program.run(tiny + "--out b --set task.length=3 --set task.held_out=50").out,
              HasSubstr("; 50 rows held out\n"));
}

TEST(TrainOut, AnEmptyFolderIsTaken) {
  const Program program;
  std::filesystem::create_directory(program.folder / "empty");
  EXPECT_EQ(program.train("empty").status, 0);
}

TEST(TrainOut, WhatIsNoRunIsCalledWhatItIs) {
  const Program program;
  std::filesystem::create_directory(program.folder / "foreign");
  program.folder.write("foreign/letter.txt", "dear");
  program.folder.write("file", "x");
  const struct {
    const char* out;
    const char* what;
  } table[] = {{"foreign", "this folder holds other things and no run"},
               {"file", "this is a file"},
               {"\"\"", "--out is empty"}};
  for (const auto& [out, what] : table) {
    const Ended ended = program.train(out);
    expect_refused(ended, what);
    EXPECT_THAT(ended.err, Not(HasSubstr("--resume"))) << out;
  }
  const Ended longest = program.train(std::string(300, 'n'));
  expect_refused(longest, "File name too long");
  EXPECT_THAT(longest.err, Not(HasSubstr("filesystem error")));
}

TEST(TrainResume, TakesTheRunsOwnConfiguration) {
  const Program program;
  ASSERT_EQ(program.train("r").status, 0);
  for (const char* option : {"--preset nanogpt-cpu", "--seed 2", "--set train.steps=3"}) {
    expect_refused(program.run("train --resume --out r " + std::string(option)),
                   "--resume goes on with the run's own configuration");
  }
  EXPECT_EQ(program.run("train --resume --out r").status, 0);
}

TEST(TrainOptions, TwoValuesOfOneKeyAreRefused) {
  const Program program;
  expect_refused(program.run("train copy --steps 3 --set train.steps=4"),
                 "--steps and --set train.steps=4 set the same key");
  expect_refused(program.run("train copy --seed 3 --set 'train.seed = 4'"),
                 "--seed and --set train.seed = 4 set the same key");
}

TEST(TrainOptions, AFileIsOfTheKindThatThePresetIsFor) {
  const Program program;
  {
    std::ofstream names(program.folder / "names.txt");
    for (char first = 'a'; first <= 'z'; ++first) {
      for (char second = 'a'; second <= 'j'; ++second) names << first << second << '\n';
    }
  }
  const std::string small =
      "train names.txt --steps 1 --set model.d_model=8 --set model.heads=2 --set train.batch=4 ";
  const auto task_of = [&](const std::string& options) {
    const Ended ended = program.run(small + "--json --no-report " + options);
    EXPECT_EQ(ended.status, 0) << ended.err;
    return nlohmann::json::parse(ended.out)["task"];
  };
  EXPECT_EQ(task_of("--preset makemore --set task.held_out=10"), "names");
  EXPECT_EQ(task_of("--preset nanogpt-cpu --set task.length=16"), "text");
  EXPECT_EQ(task_of("--set task.length=16"), "text");
}

TEST(TrainOptions, AWarmupBeyondTheLastStepIsWarnedOf) {
  const Program program;
  const Ended ended = program.run(
      "train copy --steps 2 --set optimizer.warmup=3 --set task.length=4 --set model.d_model=8");
  EXPECT_EQ(ended.status, 0);
  EXPECT_THAT(ended.err, HasSubstr("warning: optimizer.warmup = 3 is more than train.steps = 2"));
  EXPECT_EQ(program.train("r").err, "");
}

TEST(TrainOptions, ASlipInATasksNameIsUnderstood) {
  expect_refused(Program().run("train copi"), "did you mean 'copy'?");
}

TEST(Generate, AsksOnlyQuestionsThatTrainingCouldAsk) {
  const Program program;
  ASSERT_EQ(program.train("r").status, 0);
  expect_refused(program.run("generate r --prompt '1 2 > 4'"), "copy: '1 2 > 4' is no prompt");
  EXPECT_EQ(program.run("generate r --prompt '1 2 3 4'").status, 0);
}

TEST(Generate, GivesALabelForEachSymbolWhereThatIsWhatATaskAsks) {
  const Program program;
  for (const std::string kind : {"decoder", "encoder", "gru"}) {
    const std::string train = "train majority --steps 1 --threads 1 --set model.kind=";
    ASSERT_EQ(program.run(train + kind + " --out " + kind).status, 0) << kind;
    const auto answer = program.run("generate " + kind + " --prompt '0 1 1'");
    EXPECT_EQ(answer.status, 0) << answer.err;
    EXPECT_THAT(answer.out, ::testing::MatchesRegex("0 1 1\n[^ ]+ [^ ]+ [^ ]+\n")) << kind;
  }
  expect_refused(program.run("generate gru --prompt '0 1 1' --beam 2"), "labels the symbols");
}

TEST(Generate, SaysThatThereIsNoSuchRun) {
  expect_refused(Program().run("generate nowhere --prompt 1"), "nowhere: there is no such folder");
}

TEST(Generate, AnswersWithEveryKindOfModelAndSearchesWhereItCan) {
  const Program program;
  for (const std::string kind : {"decoder", "encoder_decoder", "lstm", "conv"}) {
    ASSERT_EQ(program.train(kind, "--set model.kind=" + kind).status, 0) << kind;
    EXPECT_EQ(program.run("generate " + kind + " --prompt '1 2 3 4'").status, 0) << kind;
    EXPECT_EQ(program.run("generate " + kind + " --prompt '1 2 3 4' --beam 3").status, 0) << kind;
  }
  ASSERT_EQ(program.train("encoder", "--set model.kind=encoder").status, 0);
  const auto filled = program.run("generate encoder --prompt '1 2 3 4'");
  EXPECT_THAT(filled.out, ::testing::MatchesRegex("1 2 3 4 > [^ ]+ [^ ]+ [^ ]+ [^ ]+\n"));
  expect_refused(program.run("generate encoder --prompt '1 2 3 4' --tokens 2"),
                 "answers all of the prompt's places at once");
  expect_refused(program.run("generate encoder --prompt '1 2 3 4' --beam 3"),
                 "--beam, but an encoder fills in all blanks at once");
  expect_refused(program.run("train copy --set model.kind=gru --set model.heads=2"),
                 "model.heads = 2, but model.kind = \"gru\"");
}

}  // namespace
}  // namespace tapehead
