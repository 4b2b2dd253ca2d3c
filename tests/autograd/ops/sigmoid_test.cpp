#include "autograd/ops/sigmoid.h"

#include <cmath>

#include "tests/support/apply.h"
#include "tests/support/expect.h"

namespace tapehead {
namespace {

const auto kSigmoid = [](auto in) { return sigmoid(in[0]); };

TEST(Sigmoid, ValueAndGradient) {
  const double s = 1 / (1 + std::exp(-0.75));
  testing::expect_near(testing::value_of(kSigmoid, {{{3}, {0, 0.75, -0.75}}}),
                       {{3}, {0.5, s, 1 - s}}, 1e-15);
  testing::expect_near(testing::gradients_of(kSigmoid, {{{2}, {0, 0.75}}}, {{2}, {4, 1}})[0],
                       {{2}, {1, s * (1 - s)}}, 1e-15);
}

TEST(Sigmoid, SaturatesWithoutOverflow) {
  testing::expect_near(testing::value_of(kSigmoid, {{{4}, {-1e4, 1e4, -40, 40}}}),
                       {{4}, {0, 1, 0, 1}}, 1e-15);
  testing::expect_near(testing::value_of<float>(kSigmoid, {{{4}, {-1e4F, 1e4F, -100, 100}}}),
                       {{4}, {0, 1, 0, 1}}, 1e-7);
}

TEST(Sigmoid, NanStaysVisible) {
  EXPECT_TRUE(
      std::isnan(testing::value_of(kSigmoid, {Tensor<double>::scalar(std::nan(""))}).item()));
  EXPECT_TRUE(std::isnan(
      testing::value_of<float>(kSigmoid, {Tensor<float>::scalar(std::nanf(""))}).item()));
}

}  // namespace
}  // namespace tapehead
