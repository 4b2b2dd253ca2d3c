#include "autograd/ops/add.h"

#include "tests/support/apply.h"
#include "tests/support/expect.h"

namespace tapehead {
namespace {

const auto kAdd = [](auto in) { return add(in[0], in[1]); };

TEST(Add, AddsEqualShapes) {
  testing::expect_bits_equal(testing::value_of(kAdd, {{{2}, {1, 2}}, {{2}, {10, 20}}}),
                             {{2}, {11, 22}});
}

TEST(Add, RepeatsARowAndAColumn) {
  testing::expect_bits_equal(
      testing::value_of(kAdd, {{{2, 3}, {1, 2, 3, 4, 5, 6}}, {{3}, {10, 20, 30}}}),
      {{2, 3}, {11, 22, 33, 14, 25, 36}});
  testing::expect_bits_equal(testing::value_of(kAdd, {{{2, 1}, {1, 2}}, {{1, 3}, {10, 20, 30}}}),
                             {{2, 3}, {11, 21, 31, 12, 22, 32}});
}

TEST(Add, SumsTheGradientOfWhatWasRepeated) {
  const auto d = testing::gradients_of(kAdd, {{{2, 3}, {1, 2, 3, 4, 5, 6}}, {{3}, {0, 0, 0}}},
                                       {{2, 3}, {1, 2, 3, 10, 20, 30}});
  testing::expect_bits_equal(d[0], {{2, 3}, {1, 2, 3, 10, 20, 30}});
  testing::expect_bits_equal(d[1], {{3}, {11, 22, 33}});
}

TEST(Add, OfAValueToItselfDoublesTheGradient) {
  const auto twice = [](auto in) { return add(in[0], in[0]); };
  const auto d = testing::gradients_of(twice, {{{2}, {1, 2}}}, {{2}, {3, 5}});
  testing::expect_bits_equal(d[0], {{2}, {6, 10}});
}

TEST(Add, RefusesShapesThatDoNotFit) {
  testing::expect_error<ShapeError>(
      [&] {
        testing::value_of(kAdd, {Tensor<double>({2, 3}), Tensor<double>({2})});
      },
      "add: a has shape \\(2, 3\\), b has shape \\(2\\); sizes 3 and 2");
}

}  // namespace
}  // namespace tapehead
