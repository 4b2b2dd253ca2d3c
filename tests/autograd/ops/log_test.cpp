#include "autograd/ops/log.h"

#include <cmath>
#include <numbers>

#include "tests/support/apply.h"
#include "tests/support/expect.h"

namespace tapehead {
namespace {

using testing::kInf;

const auto kLog = [](auto in) { return log(in[0]); };

TEST(Log, MatchesTheStandardFunction) {
  const Tensor<double> x({5}, {1e-300, 0.5, 1, std::numbers::e, 1e300});
  Tensor<double> expected(Shape{5});
  for (Index i = 0; i < x.size(); ++i) expected[i] = std::log(x[i]);
  testing::expect_near(testing::value_of(kLog, {x}), expected, 1e-15);
}

TEST(Log, DerivativeIsTheReciprocal) {
  testing::expect_bits_equal(testing::gradients_of(kLog, {{{2}, {4, 0.5}}}, {{2}, {1, 3}})[0],
                             {{2}, {0.25, 6}});
}

TEST(Log, OutsideItsDomainIsWhatIeeeSays) {
  const auto y = testing::value_of(kLog, {{{3}, {0, -1, kInf}}});
  EXPECT_EQ(y[0], -kInf);
  EXPECT_TRUE(std::isnan(y[1]));
  EXPECT_EQ(y[2], kInf);
  EXPECT_EQ(testing::gradients_of(kLog, {{{1}, {0}}}, {{1}, {1}})[0].item(), kInf);
}

}  // namespace
}  // namespace tapehead
