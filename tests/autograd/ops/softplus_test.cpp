#include "autograd/ops/softplus.h"

#include <cmath>
#include <numbers>

#include "tests/support/apply.h"
#include "tests/support/expect.h"

namespace tapehead {
namespace {

const auto kSoftplus = [](auto in) { return softplus(in[0]); };

TEST(Softplus, ValueAndGradient) {
  const double s = 1 / (1 + std::exp(-1.5));
  testing::expect_near(testing::value_of(kSoftplus, {{{2}, {0, 1.5}}}),
                       {{2}, {std::numbers::ln2, std::log(1 + std::exp(1.5))}}, 1e-15);
  testing::expect_near(testing::gradients_of(kSoftplus, {{{2}, {0, 1.5}}}, {{2}, {4, 2}})[0],
                       {{2}, {2, 2 * s}}, 1e-15);
}

TEST(Softplus, IsAccurateFarOut) {
  const auto y = testing::value_of(kSoftplus, {{{4}, {-30, -400, 50, 1e4}}});
  EXPECT_NEAR(y[0] / std::exp(-30.0), 1, 1e-13);
  EXPECT_NEAR(y[1] / std::exp(-400.0), 1, 1e-13);
  EXPECT_EQ(y[2], 50);
  EXPECT_EQ(y[3], 1e4);
  const auto single = testing::value_of<float>(kSoftplus, {{{2}, {-30, 50}}});
  EXPECT_NEAR(single[0] / std::exp(-30.0F), 1, 1e-5);
  EXPECT_EQ(single[1], 50);
}

TEST(Softplus, NanStaysVisible) {
  EXPECT_TRUE(
      std::isnan(testing::value_of(kSoftplus, {Tensor<double>::scalar(std::nan(""))}).item()));
}

}  // namespace
}  // namespace tapehead
