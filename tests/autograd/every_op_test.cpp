#include <gtest/gtest.h>

#include "autograd/gradcheck.h"
#include "autograd/ops/op_cases.h"

namespace tapehead {
namespace {

class EveryOp : public ::testing::TestWithParam<Op> {};

TEST_P(EveryOp, HasCasesAndPassesTheGradientCheck) {
  const auto cases = grad_cases(GetParam());
  ASSERT_FALSE(cases.empty()) << op_name(GetParam()) << " has no cases";
  for (const GradCase& c : cases) {
    const GradReport report = check_gradients(op_name(GetParam()), c, GetParam());
    EXPECT_TRUE(report.passed) << report.subject << "/" << report.case_name << ": "
                               << report.message;
  }
}

INSTANTIATE_TEST_SUITE_P(Register, EveryOp, ::testing::ValuesIn(kAllOps),
                         [](const auto& op) { return op_name(op.param); });

}  // namespace
}  // namespace tapehead
