#include "autograd/ops/sub.h"

#include "tests/support/apply.h"
#include "tests/support/expect.h"

namespace tapehead {
namespace {

const auto kSub = [](auto in) { return sub(in[0], in[1]); };

TEST(Sub, SubtractsAndRepeats) {
  testing::expect_bits_equal(
      testing::value_of(kSub, {{{2, 3}, {1, 2, 3, 4, 5, 6}}, {{3}, {10, 20, 30}}}),
      {{2, 3}, {-9, -18, -27, -6, -15, -24}});
}

TEST(Sub, GradientOfTheSecondIsNegative) {
  const auto d = testing::gradients_of(kSub, {{{2, 2}, {1, 2, 3, 4}}, {{2, 1}, {0, 0}}},
                                       {{2, 2}, {1, 2, 10, 20}});
  testing::expect_bits_equal(d[0], {{2, 2}, {1, 2, 10, 20}});
  testing::expect_bits_equal(d[1], {{2, 1}, {-3, -30}});
}

TEST(Sub, OfAValueFromItselfHasNoGradient) {
  const auto none = [](auto in) { return sub(in[0], in[0]); };
  testing::expect_bits_equal(testing::gradients_of(none, {{{2}, {1, 2}}}, {{2}, {3, 5}})[0],
                             {{2}, {0, 0}});
}

TEST(Sub, RefusesShapesThatDoNotFit) {
  testing::expect_error<ShapeError>(
      [&] {
        testing::value_of(kSub, {Tensor<double>({2, 3}), Tensor<double>(Shape{2})});
      },
      "sub: a has shape \\(2, 3\\), b has shape \\(2\\); sizes 3 and 2");
}

}  // namespace
}  // namespace tapehead
