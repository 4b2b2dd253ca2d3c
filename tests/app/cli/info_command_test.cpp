#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/app/cli/program.h"

namespace tapehead {
namespace {

using ::testing::HasSubstr;
using testing::Program;

TEST(InfoCommand, ListsTheProbes) {
  const Program program;
  const auto text = program.run("info --probes");
  EXPECT_EQ(text.status, 0);
  EXPECT_THAT(text.out, HasSubstr("entropy/above_0.99"));
  const auto json = nlohmann::json::parse(program.run("info --probes --json").out);
  std::vector<std::string> names;
  for (const auto& probe : json.at("probes")) names.push_back(probe.at("name"));
  EXPECT_EQ(names, (std::vector<std::string>{"attention", "logits", "entropy", "gradients"}));
}

TEST(InfoCommand, OfNothingIsAUsageError) {
  const auto ended = Program().run("info");
  EXPECT_EQ(ended.status, 2);
  EXPECT_THAT(ended.err, HasSubstr("info: RUN (a run's folder) or --probes is required"));
}

TEST(TrainCommand, ProbeNamesWhatIsRecorded) {
  const Program program;
  EXPECT_EQ(program.train("run", "--probe logits,gradients").status, 0);
  EXPECT_THAT(program.run("info run").out, HasSubstr("probe = \"logits,gradients\""));
  const auto wrong = program.train("other", "--probe weights");
  EXPECT_EQ(wrong.status, 2);
  EXPECT_THAT(wrong.err,
              HasSubstr("--probe weights: train.probe = \"weights\"; it must be one of"));
  EXPECT_THAT(program.train("other", "--probe none --set train.probe=auto").err,
              HasSubstr("--probe and --set train.probe=auto set the same key"));
}

}  // namespace
}  // namespace tapehead
