#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/app/cli/program.h"

namespace tapehead {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using testing::Program;

TEST(WalkthroughCommand, PrintsTheWorkedExample) {
  const Program program;
  const auto shown = program.run("walkthrough");
  EXPECT_EQ(shown.status, 0) << shown.err;
  EXPECT_THAT(shown.out, HasSubstr("0.250049   0.249787   0.249998   0.250167\n"));
  EXPECT_THAT(shown.out, HasSubstr("-0.021538  -0.045546  -0.020526   0.012208\n"));
}

TEST(WalkthroughCommand, ComputesOnesOwnMatricesWithTheScaleAskedFor) {
  const Program program;
  // One feature of value 1 each: d_k = 4, so that the scores are 4 and the factors 1/2, 1 and 2.
  program.folder.write("m.csv", "X\n1\nW_Q\n1,1,1,1\nW_K\n1,1,1,1\nW_V\n3\n");
  const std::pair<const char*, double> factors[] = {{"inv_sqrt", 0.5}, {"none", 1}, {"sqrt", 2}};
  for (const auto& [name, factor] : factors) {
    const json told = json::parse(
        program.run(std::string("walkthrough --input m.csv --json --scale ") + name).out);
    EXPECT_EQ(told["scale"], name);
    EXPECT_EQ(told["factor"], factor);
    EXPECT_EQ(told["scores"], json::parse("[[4.0]]"));
    EXPECT_EQ(told["scaled"][0][0].get<double>(), 4 * factor);
    EXPECT_EQ(told["output"], json::parse("[[3.0]]"));
  }
}

TEST(WalkthroughCommand, RefusesWhatMakesNoSense) {
  const Program program;
  const auto scale = program.run("walkthrough --scale root");
  EXPECT_EQ(scale.status, 2);
  EXPECT_THAT(scale.err, HasSubstr("--scale root; it must be inv_sqrt, none or sqrt"));
  const auto file = program.run("walkthrough --input none.csv");
  EXPECT_EQ(file.status, 1);
  EXPECT_THAT(file.err, HasSubstr("there is no file 'none.csv'"));
}

}  // namespace
}  // namespace tapehead
