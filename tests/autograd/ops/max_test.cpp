#include "autograd/ops/max.h"

#include <cmath>

#include "tests/support/apply.h"
#include "tests/support/expect.h"

namespace tapehead {
namespace {

using testing::kInf;

const auto kMaxOfAll = [](auto in) { return max(in[0]); };
const auto kMaxOfRows = [](auto in) { return max(in[0], 1); };
const Tensor<double> kMaxMatrix({2, 3}, {1, 7, 3, -4, -5, -6});

TEST(Max, OfAllElementsOfRowsAndOfColumns) {
  const auto columns = [](auto in) { return max(in[0], 0, true); };
  testing::expect_bits_equal(testing::value_of(kMaxOfAll, {kMaxMatrix}), {{}, {7}});
  testing::expect_bits_equal(testing::value_of(kMaxOfRows, {kMaxMatrix}), {{2}, {7, -4}});
  testing::expect_bits_equal(testing::value_of(columns, {kMaxMatrix}), {{1, 3}, {1, 7, 3}});
}

TEST(Max, GradientGoesToTheLargest) {
  testing::expect_bits_equal(testing::gradients_of(kMaxOfRows, {kMaxMatrix}, {{2}, {2, 3}})[0],
                             {{2, 3}, {0, 2, 0, 3, 0, 0}});
}

TEST(Max, OfEqualElementsTheFirstGetsTheGradient) {
  testing::expect_bits_equal(testing::gradients_of(kMaxOfAll, {{{4}, {1, 5, 5, 5}}}, {{}, {2}})[0],
                             {{4}, {0, 2, 0, 0}});
  testing::expect_bits_equal(
      testing::gradients_of(kMaxOfRows, {{{1, 2}, {-kInf, -kInf}}}, {{1}, {2}})[0],
      {{1, 2}, {2, 0}});
}

TEST(Max, NanCountsAsTheLargest) {
  const Tensor<double> x({3}, {1, std::nan(""), 9});
  EXPECT_TRUE(std::isnan(testing::value_of(kMaxOfAll, {x}).item()));
  testing::expect_bits_equal(testing::gradients_of(kMaxOfAll, {x}, {{}, {2}})[0], {{3}, {0, 2, 0}});
}

TEST(Max, OfNothingIsRefused) {
  testing::expect_error<ValueError>(
      [&] {
        testing::value_of(kMaxOfAll, {Tensor<double>({0, 3})});
      },
      "max: x has shape \\(0, 3\\).*at least one");
  testing::expect_error<ValueError>(
      [&] {
        testing::value_of(kMaxOfRows, {Tensor<double>({3, 0})});
      },
      "max: x has shape \\(3, 0\\).*at least one");
  testing::expect_error<ShapeError>(
      [&] { testing::value_of(kMaxOfRows, {Tensor<double>(Shape{3})}); },
      "max: axis 1 does not exist in shape \\(3\\)");
}

}  // namespace
}  // namespace tapehead
