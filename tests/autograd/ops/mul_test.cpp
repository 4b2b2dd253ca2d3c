#include "autograd/ops/mul.h"

#include "tests/support/apply.h"
#include "tests/support/expect.h"

namespace tapehead {
namespace {

const auto kMul = [](auto in) { return mul(in[0], in[1]); };

TEST(Mul, MultipliesAndRepeats) {
  testing::expect_bits_equal(
      testing::value_of(kMul, {{{2, 3}, {1, 2, 3, 4, 5, 6}}, {{2, 1}, {10, -1}}}),
      {{2, 3}, {10, 20, 30, -4, -5, -6}});
  testing::expect_bits_equal(testing::value_of(kMul, {{{}, {3}}, {{2}, {5, 7}}}), {{2}, {15, 21}});
}

TEST(Mul, GradientIsTheOtherFactor) {
  const auto d = testing::gradients_of(kMul, {{{2, 2}, {1, 2, 3, 4}}, {{2}, {5, 7}}},
                                       {{2, 2}, {1, 10, 100, 1000}});
  testing::expect_bits_equal(d[0], {{2, 2}, {5, 70, 500, 7000}});
  testing::expect_bits_equal(d[1], {{2}, {301, 4020}});
}

TEST(Mul, RefusesShapesThatDoNotFit) {
  testing::expect_error<ShapeError>(
      [&] {
        testing::value_of(kMul, {Tensor<double>({2, 3}), Tensor<double>({4, 3})});
      },
      "mul: a has shape \\(2, 3\\), b has shape \\(4, 3\\); sizes 2 and 4");
}

}  // namespace
}  // namespace tapehead
