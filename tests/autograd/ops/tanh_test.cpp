#include "autograd/ops/tanh.h"

#include <cmath>

#include "tests/support/apply.h"
#include "tests/support/expect.h"

namespace tapehead {
namespace {

const auto kTanh = [](auto in) { return tanh(in[0]); };

TEST(Tanh, MatchesTheStandardFunction) {
  const Tensor<double> x({6}, {-30, -1, -1e-9, 0, 0.5, 400});
  Tensor<double> expected({6});
  for (Index i = 0; i < x.size(); ++i) expected[i] = std::tanh(x[i]);
  testing::expect_near(testing::value_of(kTanh, {x}), expected, 1e-15);
}

TEST(Tanh, GradientIsOneMinusTheSquare) {
  const double t = std::tanh(0.5);
  testing::expect_near(testing::gradients_of(kTanh, {{{2}, {0.5, 0}}}, {{2}, {2, 3}})[0],
                       {{2}, {2 * (1 - t * t), 3}}, 1e-15);
}

TEST(Tanh, NanStaysVisible) {
  EXPECT_TRUE(std::isnan(testing::value_of(kTanh, {Tensor<double>::scalar(std::nan(""))}).item()));
  EXPECT_TRUE(
      std::isnan(testing::value_of<float>(kTanh, {Tensor<float>::scalar(std::nanf(""))}).item()));
}

}  // namespace
}  // namespace tapehead
