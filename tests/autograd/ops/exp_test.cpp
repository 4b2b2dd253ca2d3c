#include "autograd/ops/exp.h"

#include <cmath>
#include <numbers>

#include "tests/support/apply.h"
#include "tests/support/expect.h"

namespace tapehead {
namespace {

using testing::kInf;

const auto kExp = [](auto in) { return exp(in[0]); };

TEST(Exp, MatchesTheStandardFunction) {
  const Tensor<double> x({5}, {-20, -1e-9, 0, 1, 9.5});
  Tensor<double> expected(Shape{5});
  for (Index i = 0; i < x.size(); ++i) expected[i] = std::exp(x[i]);
  testing::expect_near(testing::value_of(kExp, {x}), expected, 4e-16);
}

TEST(Exp, IsItsOwnDerivative) {
  testing::expect_near(testing::gradients_of(kExp, {{{2}, {0, 1}}}, {{2}, {3, 2}})[0],
                       {{2}, {3, 2 * std::numbers::e}}, 4e-16);
}

TEST(Exp, AtTheEndsOfItsRange) {
  const auto y = testing::value_of(kExp, {{{4}, {-kInf, kInf, 1e4, -1e4}}});
  testing::expect_bits_equal(y, {{4}, {0, kInf, kInf, 0}});
  EXPECT_TRUE(std::isnan(testing::value_of(kExp, {Tensor<double>::scalar(std::nan(""))}).item()));
}

}  // namespace
}  // namespace tapehead
