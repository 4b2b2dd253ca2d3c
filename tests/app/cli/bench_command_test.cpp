#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/app/cli/program.h"

namespace tapehead {
namespace {

using ::testing::AllOf;
using testing::Ended;
using ::testing::HasSubstr;
using testing::Program;

TEST(Bench, SettingsChangeTheStep) {
  const Ended ended = Program().run(
      "bench tiny --json --seconds 0 --set task.length=8 --set train.batch=6 --set train.shards=3");
  ASSERT_EQ(ended.status, 0) << ended.err;
  const auto json = nlohmann::json::parse(ended.out);
  EXPECT_EQ(json.at("shards"), 3);
  const double tokens = json.at("tokens_per_s").get<double>() * json.at("median_ms").get<double>();
  EXPECT_NEAR(tokens / 1e3, 8 * 6, 1e-9);
}

TEST(Bench, WhatASettingCannotChangeIsRefused) {
  const Program program;
  const struct {
    const char* arguments;
    const char* found;
    const char* needed;
  } table[] = {
      {"bench tiny --set model.layer=2", "unknown key 'model.layer'", "did you mean"},
      {"bench tiny --set model.layers=0", "model.layers = 0", "a whole number >= 1"},
      {"bench tiny --set model.heads=5", "model.heads = 5", "model.d_model"},
      {"bench tiny --set train.steps=7", "train.steps = 7, which does not change", "train.batch"},
      {"bench tiny --set model.kind=encoder_decoder", "needs sources",
       "choose one of encoder, decoder, rnn"},
      {"bench ops --set model.layers=2", "'ops' times none", "use it with tiny"},
      {"bench tiny --set task.length=100000000", "out of memory", "task.length"},
  };
  for (const auto& [arguments, found, needed] : table) {
    const Ended ended = program.run(arguments);
    EXPECT_NE(ended.status, 0) << arguments;
    EXPECT_EQ(ended.out, "") << arguments;
    EXPECT_THAT(ended.err, AllOf(HasSubstr(found), HasSubstr(needed))) << arguments;
  }
}

}  // namespace
}  // namespace tapehead
