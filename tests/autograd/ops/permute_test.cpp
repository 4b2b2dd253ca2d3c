#include "autograd/ops/permute.h"

#include "tests/support/apply.h"
#include "tests/support/expect.h"

namespace tapehead {
namespace {

const auto kTranspose = [](auto in) { return permute(in[0], {1, 0}); };
const auto kSwapMiddle = [](auto in) { return permute(in[0], {0, 2, 1, 3}); };

TEST(Permute, TransposesAMatrix) {
  testing::expect_bits_equal(testing::value_of(kTranspose, {{{2, 3}, {1, 2, 3, 4, 5, 6}}}),
                             {{3, 2}, {1, 4, 2, 5, 3, 6}});
  testing::expect_bits_equal(
      testing::gradients_of(kTranspose, {Tensor<double>({2, 3})}, {{3, 2}, {1, 4, 2, 5, 3, 6}})[0],
      {{2, 3}, {1, 2, 3, 4, 5, 6}});
}

TEST(Permute, MovesEveryElementToItsPlace) {
  Tensor<double> x({2, 3, 4, 5});
  for (Index i = 0; i < x.size(); ++i) x[i] = static_cast<double>(i);
  const Tensor<double> y = testing::value_of(kSwapMiddle, {x});
  ASSERT_EQ(y.shape(), Shape({2, 4, 3, 5}));
  for (Index a = 0; a < 2; ++a)
    for (Index b = 0; b < 3; ++b)
      for (Index c = 0; c < 4; ++c)
        for (Index d = 0; d < 5; ++d)
          ASSERT_EQ(y[((a * 4 + c) * 3 + b) * 5 + d], x[((a * 3 + b) * 4 + c) * 5 + d]);
}

TEST(Permute, RefusesAxesThatAreNoPermutation) {
  Tape<double> tape;
  const auto x = tape.leaf(Tensor<double>({2, 3}));
  testing::expect_error<ShapeError>(
      [&] {
        permute(x, {0, 0});
      },
      "permute: axes \\(0, 0\\) for shape \\(2, 3\\)");
  testing::expect_error<ShapeError>([&] { permute(x, {1}); },
                                    "permute: axes \\(1\\) for shape \\(2, 3\\)");
  testing::expect_error<ShapeError>(
      [&] {
        permute(x, {0, 2});
      },
      "permute: axis 2 does not exist in shape \\(2, 3\\)");
}

}  // namespace
}  // namespace tapehead
