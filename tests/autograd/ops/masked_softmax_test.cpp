#include "autograd/ops/masked_softmax.h"

#include <cmath>
#include <limits>

#include "autograd/gradcheck.h"
#include "autograd/ops/softmax.h"
#include "tests/support/expect.h"

namespace tapehead {
namespace {

using testing::kInf;

using Mask = Tensor<std::uint8_t>;
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

TEST(MaskedSoftmax, IsTheSoftmaxOfTheAllowedNumbers) {
  Tape<double> tape;
  const Tensor<double> x = randn({1, 5}, 1);
  const auto y = masked_softmax(tape.leaf(x), {{1, 5}, {1, 0, 1, 1, 0}}).value();
  const auto s = softmax(tape.leaf({{3}, {x[0], x[2], x[3]}})).value();
  testing::expect_near(y, {{1, 5}, {s[0], 0, s[1], s[2], 0}}, 1e-15);
}

TEST(MaskedSoftmax, WhollyMaskedRowGivesZerosAndNoGradient) {
  Tape<double> tape;
  const auto x = tape.leaf({{2, 2}, {kNan, kInf, 0, 0}}, true);
  const auto y = masked_softmax(x, {{2, 2}, {0, 0, 1, 1}});
  testing::expect_bits_equal(y.value(), {{2, 2}, {0, 0, 0.5, 0.5}});
  tape.backward(y, {{2, 2}, {kNan, 1, 2, 0}});
  testing::expect_bits_equal(x.grad(), {{2, 2}, {0, 0, 0.5, -0.5}});
}

TEST(MaskedSoftmax, WhatIsMaskedDoesNotLeak) {
  for (const double masked : {kNan, kInf, -kInf, 1e308}) {
    Tape<double> tape;
    const auto x = tape.leaf({{1, 3}, {0, masked, 0}}, true);
    const auto y = masked_softmax(x, {{3}, {1, 0, 1}});
    testing::expect_bits_equal(y.value(), {{1, 3}, {0.5, 0, 0.5}});
    tape.backward(y, {{1, 3}, {2, masked, 0}});
    testing::expect_bits_equal(x.grad(), {{1, 3}, {0.5, 0, -0.5}});
  }
}

TEST(MaskedSoftmax, ANanThatIsAllowedStaysVisible) {
  Tape<double> tape;
  const auto y = masked_softmax(tape.leaf({{1, 3}, {0, kNan, 0}}), {{3}, {1, 1, 0}}).value();
  EXPECT_TRUE(std::isnan(y[0]));
  EXPECT_TRUE(std::isnan(y[1]));
  EXPECT_EQ(y[2], 0);
}

TEST(MaskedSoftmax, RefusesAMaskThatDoesNotBroadcastToX) {
  Tape<double> tape;
  const auto x = tape.leaf(Tensor<double>({2, 3}));
  testing::expect_error<ShapeError>([&] { masked_softmax(x, Mask({4})); },
                                    "masked_softmax: .*\\(2, 3\\).*\\(4\\)");
  testing::expect_error<ShapeError>(
      [&] {
        masked_softmax(x, Mask({2, 2, 3}));
      },
      "masked_softmax: x .*\\(2, 3\\), mask .*\\(2, 2, 3\\)");
  testing::expect_error<ShapeError>(
      [&] { masked_softmax(tape.leaf(Tensor<double>::scalar(1)), Mask::scalar(1)); },
      "masked_softmax: x has shape \\(\\)");
}

}  // namespace
}  // namespace tapehead
