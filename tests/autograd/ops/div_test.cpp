#include "autograd/ops/div.h"

#include <cmath>
#include <limits>

#include "tests/support/apply.h"
#include "tests/support/expect.h"

namespace tapehead {
namespace {

const auto kDiv = [](auto in) { return div(in[0], in[1]); };

TEST(Div, DividesAndRepeats) {
  testing::expect_bits_equal(testing::value_of(kDiv, {{{2, 2}, {2, 6, 8, 20}}, {{2, 1}, {2, 4}}}),
                             {{2, 2}, {1, 3, 2, 5}});
}

TEST(Div, GradientIsThatOfAQuotient) {
  const auto d = testing::gradients_of(kDiv, {{{2}, {6, 20}}, {{1}, {4}}}, {{2}, {8, 16}});
  testing::expect_bits_equal(d[0], {{2}, {2, 4}});
  testing::expect_bits_equal(d[1], {{1}, {-8 * 6 / 16.0 - 16 * 20 / 16.0}});
}

TEST(Div, ByZeroIsInfiniteOrNan) {
  const auto y = testing::value_of(kDiv, {{{3}, {1, -1, 0}}, {{1}, {0}}});
  EXPECT_EQ(y[0], std::numeric_limits<double>::infinity());
  EXPECT_EQ(y[1], -std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(y[2]));
}

TEST(Div, RefusesShapesThatDoNotFit) {
  testing::expect_error<ShapeError>(
      [&] {
        testing::value_of(kDiv, {Tensor<double>({2, 3}), Tensor<double>({3, 3})});
      },
      "div: a has shape \\(2, 3\\), b has shape \\(3, 3\\); sizes 2 and 3");
}

}  // namespace
}  // namespace tapehead
