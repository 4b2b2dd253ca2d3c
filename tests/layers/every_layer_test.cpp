#include <gtest/gtest.h>

#include "layers/layer_cases.h"

namespace tapehead {
namespace {

class EveryLayer : public ::testing::TestWithParam<std::string_view> {};

TEST_P(EveryLayer, HasCasesAndPassesTheGradientCheck) {
  const auto cases = layer_grad_cases(GetParam());
  ASSERT_FALSE(cases.empty()) << GetParam() << " has no cases";
  for (const GradCase& c : cases) {
    const GradReport report = check_gradients(std::string(GetParam()), c);
    EXPECT_TRUE(report.passed) << report.subject << "/" << report.case_name << ": "
                               << report.message;
  }
}

INSTANTIATE_TEST_SUITE_P(Register, EveryLayer, ::testing::ValuesIn(layer_names()),
                         [](const auto& layer) { return std::string(layer.param); });

}  // namespace
}  // namespace tapehead
