#include "autograd/ops/sum.h"

#include "tests/support/apply.h"
#include "tests/support/expect.h"

namespace tapehead {
namespace {

const auto kSumOfAll = [](auto in) { return sum(in[0]); };
const Tensor<double> kSumMatrix({2, 3}, {1, 2, 3, 4, 5, 6});

TEST(Sum, OfAllElements) {
  testing::expect_bits_equal(testing::value_of(kSumOfAll, {kSumMatrix}), {{}, {21}});
  testing::expect_bits_equal(testing::gradients_of(kSumOfAll, {kSumMatrix}, {{}, {2.5}})[0],
                             Tensor<double>::full({2, 3}, 2.5));
}

TEST(Sum, AlongAnAxis) {
  const auto columns = [](auto in) { return sum(in[0], 0); };
  const auto rows = [](auto in) { return sum(in[0], -1, true); };
  testing::expect_bits_equal(testing::value_of(columns, {kSumMatrix}), {{3}, {5, 7, 9}});
  testing::expect_bits_equal(testing::value_of(rows, {kSumMatrix}), {{2, 1}, {6, 15}});
  testing::expect_bits_equal(testing::gradients_of(rows, {kSumMatrix}, {{2, 1}, {1, 10}})[0],
                             {{2, 3}, {1, 1, 1, 10, 10, 10}});
}

TEST(Sum, OfNothingIsZero) {
  const auto columns = [](auto in) { return sum(in[0], 0); };
  testing::expect_bits_equal(testing::value_of(kSumOfAll, {Tensor<double>({0, 3})}), {{}, {0}});
  testing::expect_bits_equal(testing::value_of(columns, {Tensor<double>({0, 2})}), {{2}, {0, 0}});
}

TEST(Sum, OfManyFloatsKeepsItsAccuracy) {
  constexpr Index kCount = 1 << 20;
  const auto total =
      testing::value_of<float>(kSumOfAll, {Tensor<float>::full({kCount}, 0.1F)}).item();
  // One long sum is off by some 1000.
  EXPECT_NEAR(total, static_cast<double>(0.1F) * kCount, 300.0);
}

TEST(Sum, RefusesAMissingAxis) {
  testing::expect_error<ShapeError>(
      [&] { testing::value_of([](auto in) { return sum(in[0], 2); }, {kSumMatrix}); },
      "sum: axis 2 does not exist in shape \\(2, 3\\)");
}

}  // namespace
}  // namespace tapehead
