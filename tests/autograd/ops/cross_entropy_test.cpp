#include "autograd/ops/cross_entropy.h"

#include <cmath>

#include "autograd/gradcheck.h"
#include "tests/support/expect.h"

namespace tapehead {
namespace {

using testing::kInf;

double loss_of(const Tensor<double>& logits, const TokenTensor& targets,
               const CrossEntropyOptions& options = {}) {
  Tape<double> tape;
  return cross_entropy(tape.leaf(logits), targets, options).value().item();
}

TEST(CrossEntropy, MatchesItsClosedForm) {
  // Probabilities 1/4, 3/4 and 1/2, 1/2.
  const Tensor<double> logits({2, 2}, {0, std::log(3.0), 7, 7});
  EXPECT_NEAR(loss_of(logits, {{2}, {0, 1}}), (std::log(4.0) + std::log(2.0)) / 2, 1e-15);
}

TEST(CrossEntropy, SmoothingIsAMixtureWithTheMeanOverAllClasses) {
  const Tensor<double> logits({1, 2}, {0, std::log(3.0)});
  const double target = std::log(4.0), other = std::log(4.0 / 3.0);
  EXPECT_NEAR(loss_of(logits, {{1}, {0}}, {.label_smoothing = 0.2}),
              0.8 * target + 0.1 * (target + other), 1e-15);
}

TEST(CrossEntropy, IgnoredPlacesDoNotCount) {
  const Tensor<double> logits({3, 2}, {0, std::log(3.0), std::nan(""), 1, 0, 0});
  Tape<double> tape;
  const auto x = tape.leaf(logits, true);
  const auto loss = cross_entropy(x, {{3}, {0, kIgnoreTarget, kIgnoreTarget}});
  EXPECT_NEAR(loss.value().item(), std::log(4.0), 1e-15);
  tape.backward(loss);
  testing::expect_near(x.grad(), {{3, 2}, {-0.75, 0.75, 0, 0, 0, 0}}, 1e-15);
}

TEST(CrossEntropy, AllIgnoredGivesZeroAndNoGradient) {
  Tape<double> tape;
  const auto x = tape.leaf({{2, 2}, {1, 2, 3, 4}}, true);
  const auto loss = cross_entropy(x, {{2}, {kIgnoreTarget, kIgnoreTarget}});
  EXPECT_EQ(loss.value().item(), 0);
  tape.backward(loss);
  testing::expect_bits_equal(x.grad(), Tensor<double>({2, 2}));
}

TEST(CrossEntropy, PartsWithTheTotalAsNormalizerAddUpToTheWhole) {
  const Tensor<double> logits = randn({4, 3}, 1);
  const double whole = loss_of(logits, {{4}, {0, kIgnoreTarget, 1, 2}});
  const double first =
      loss_of(logits.view(0, {2, 3}), {{2}, {0, kIgnoreTarget}}, {.normalizer = 3});
  const double second = loss_of(logits.view(6, {2, 3}), {{2}, {1, 2}}, {.normalizer = 3});
  EXPECT_NEAR(first + second, whole, 1e-15);
}

TEST(CrossEntropy, HoldsForLogitsThatWouldOverflow) {
  EXPECT_NEAR(loss_of({{1, 2}, {1e4, 1e4 - 1}}, {{1}, {1}}), 1 + std::log1p(std::exp(-1.0)), 1e-12);
}

TEST(CrossEntropy, MinusInfinityMayStandAtOtherClasses) {
  Tape<double> tape;
  const auto x = tape.leaf({{1, 3}, {0, -kInf, 0}}, true);
  const auto loss = cross_entropy(x, {{1}, {2}});
  EXPECT_NEAR(loss.value().item(), std::log(2.0), 1e-15);
  tape.backward(loss);
  testing::expect_near(x.grad(), {{1, 3}, {0.5, 0, -0.5}}, 1e-15);
}

TEST(CrossEntropy, RefusesBadTargetsShapesAndOptions) {
  const Tensor<double> logits({2, 2, 3});
  testing::expect_error<ValueError>(
      [&] {
        loss_of(logits, {{2, 2}, {0, 1, 3, 0}});
      },
      "cross_entropy: target 3 at \\(1, 0\\) .*vocabulary of 3");
  testing::expect_error<ValueError>(
      [&] {
        loss_of(logits, {{2, 2}, {-1, 0, 0, 0}});
      },
      "target -1 at \\(0, 0\\)");
  testing::expect_error<ShapeError>(
      [&] {
        loss_of(logits, {{4}, {0, 0, 0, 0}});
      },
      "cross_entropy: targets .*\\(4\\).*\\(2, 2\\)");
  const TokenTensor targets({2, 2});
  testing::expect_error<ValueError>([&] { loss_of(logits, targets, {.label_smoothing = 1.5}); },
                                    "label_smoothing is 1.5");
  testing::expect_error<ValueError>([&] { loss_of(logits, targets, {.normalizer = -2}); },
                                    "normalizer is -2");
}

}  // namespace
}  // namespace tapehead
