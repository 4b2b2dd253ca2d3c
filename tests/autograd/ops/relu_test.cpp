#include "autograd/ops/relu.h"

#include <cmath>

#include "tests/support/apply.h"
#include "tests/support/expect.h"

namespace tapehead {
namespace {

const auto kRelu = [](auto in) { return relu(in[0]); };

TEST(Relu, CutsAtZero) {
  testing::expect_bits_equal(testing::value_of(kRelu, {{{4}, {-2, 0, 0.5, 3}}}),
                             {{4}, {0, 0, 0.5, 3}});
}

TEST(Relu, GradientPassesWherePositiveOnly) {
  testing::expect_bits_equal(
      testing::gradients_of(kRelu, {{{4}, {-2, 0, 0.5, 3}}}, {{4}, {1, 2, 3, 4}})[0],
      {{4}, {0, 0, 3, 4}});
}

TEST(Relu, NanStaysVisible) {
  EXPECT_TRUE(std::isnan(testing::value_of(kRelu, {Tensor<double>::scalar(std::nan(""))}).item()));
}

}  // namespace
}  // namespace tapehead
