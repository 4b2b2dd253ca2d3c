#include "autograd/ops/reshape.h"

#include "tests/support/apply.h"
#include "tests/support/expect.h"

namespace tapehead {
namespace {

TEST(Reshape, KeepsTheOrderAndSharesTheNumbers) {
  Tape<double> tape;
  const auto x = tape.leaf({{2, 3}, {1, 2, 3, 4, 5, 6}});
  const auto y = reshape(x, {3, 2});
  testing::expect_bits_equal(y.value(), {{3, 2}, {1, 2, 3, 4, 5, 6}});
  EXPECT_EQ(y.value().data(), x.value().data());
}

TEST(Reshape, GradientHasTheShapeOfTheInput) {
  const auto f = [](auto in) { return reshape(in[0], Shape{4}); };
  testing::expect_bits_equal(
      testing::gradients_of(f, {Tensor<double>({2, 2})}, {{4}, {1, 2, 3, 4}})[0],
      {{2, 2}, {1, 2, 3, 4}});
}

TEST(Reshape, RefusesAnotherNumberOfElements) {
  Tape<double> tape;
  testing::expect_error<ShapeError>(
      [&] {
        reshape(tape.leaf(Tensor<double>({2, 3})), {4, 2});
      },
      "reshape: x has shape \\(2, 3\\) \\(6 values\\), the new "
      "shape \\(4, 2\\) holds 8");
}

}  // namespace
}  // namespace tapehead
