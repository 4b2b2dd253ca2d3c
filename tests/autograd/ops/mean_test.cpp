#include "autograd/ops/mean.h"

#include "tests/support/apply.h"
#include "tests/support/expect.h"

namespace tapehead {
namespace {

const auto kMeanOfAll = [](auto in) { return mean(in[0]); };
const auto kMeanOfRows = [](auto in) { return mean(in[0], 1); };
const Tensor<double> kMeanMatrix({2, 4}, {1, 2, 3, 6, 0, 0, 0, -2});

TEST(Mean, OfAllElementsAndOfRows) {
  testing::expect_bits_equal(testing::value_of(kMeanOfAll, {kMeanMatrix}), {{}, {1.25}});
  testing::expect_bits_equal(testing::value_of(kMeanOfRows, {kMeanMatrix}), {{2}, {3, -0.5}});
}

TEST(Mean, SharesTheGradientEvenly) {
  testing::expect_bits_equal(testing::gradients_of(kMeanOfAll, {kMeanMatrix}, {{}, {4}})[0],
                             Tensor<double>::full({2, 4}, 0.5));
  testing::expect_bits_equal(testing::gradients_of(kMeanOfRows, {kMeanMatrix}, {{2}, {4, 8}})[0],
                             {{2, 4}, {1, 1, 1, 1, 2, 2, 2, 2}});
}

TEST(Mean, OfNothingIsRefused) {
  testing::expect_error<ValueError>(
      [&] {
        testing::value_of(kMeanOfAll, {Tensor<double>({0, 3})});
      },
      "mean: x has shape \\(0, 3\\).*at least one");
  testing::expect_error<ValueError>(
      [&] {
        testing::value_of(kMeanOfRows, {Tensor<double>({3, 0})});
      },
      "mean: x has shape \\(3, 0\\).*at least one");
  testing::expect_bits_equal(testing::value_of(kMeanOfRows, {Tensor<double>({0, 3})}),
                             Tensor<double>(Shape{0}));
}

TEST(Mean, RefusesAMissingAxis) {
  testing::expect_error<ShapeError>(
      [&] { testing::value_of([](auto in) { return mean(in[0], -3); }, {kMeanMatrix}); },
      "mean: axis -3 does not exist in shape \\(2, 4\\)");
}

}  // namespace
}  // namespace tapehead
