#include "autograd/ops/conv1d.h"

#include "autograd/ops/operators.h"
#include "tests/autograd/ops/composed.h"

namespace tapehead {
namespace {

const auto kTwoTaps = [](auto in) { return conv1d(in[0], in[1], Conv1dOptions::causal(2)); };

TEST(Conv1d, MatchesItsClosedForm) {
  Tape<double> tape;
  const auto x = tape.leaf({{1, 4, 1}, {1, 2, 3, 4}});
  const auto w = tape.leaf({{1, 1, 3}, {100, 10, 1}});
  const auto b = tape.leaf({{1}, {0.5}});
  testing::expect_near(conv1d(x, w).value(), {{1, 2, 1}, {123, 234}}, 0);
  testing::expect_near(conv1d(x, w, b, Conv1dOptions::causal(3)).value(),
                       {{1, 4, 1}, {1.5, 12.5, 123.5, 234.5}}, 0);
  testing::expect_near(conv1d(x, w, Conv1dOptions::causal(3, 2)).value(),
                       {{1, 4, 1}, {1, 2, 13, 24}}, 0);
  testing::expect_near(conv1d(x, w, {1, 1, 1}).value(), {{1, 4, 1}, {12, 123, 234, 340}}, 0);
}

// Tap by tap: y = sum_j shift(x, j) W_j^T.
TEST(Conv1d, EqualsItsComposition) {
  constexpr Index kTaps = 3, kDilation = 2, kPad = kDilation * (kTaps - 1);
  const auto composed = [](std::span<const Var<double>> in) {
    Tape<double>& tape = in[0].tape();
    const Var<double> zeros = tape.leaf(Tensor<double>({in[0].dim(0), kPad, in[0].dim(2)}));
    const Var<double> padded = concat({zeros, in[0]}, 1);
    Var<double> y = in[2];
    for (Index j = 0; j < kTaps; ++j) {
      const auto weight = reshape(slice(in[1], 2, j, j + 1), {in[1].dim(0), in[1].dim(1)});
      const Index begin = j * kDilation;
      y = y + linear(slice(padded, 1, begin, begin + in[0].dim(1)), weight);
    }
    return y;
  };
  const auto fused = [](auto in) {
    return conv1d(in[0], in[1], in[2], Conv1dOptions::causal(kTaps, kDilation));
  };
  testing::expect_equals_composition(fused, composed,
                                     {randn({2, 7, 4}, 1), randn({5, 4, kTaps}, 2), randn({5}, 3)});
}

TEST(Conv1d, ACausalOneSeesNothingAfterIt) {
  Tensor<double> x = randn({1, 6, 2}, 1);
  const Tensor<double> weight = randn({3, 2, 2}, 2);
  const auto before = testing::value_of(kTwoTaps, {x, weight});
  Tensor<double> changed = x.clone();
  changed[4 * 2] += 1;
  const auto after = testing::value_of(kTwoTaps, {changed, weight});
  for (Index i = 0; i < 4 * 3; ++i) EXPECT_EQ(after[i], before[i]);
  EXPECT_NE(after[4 * 3], before[4 * 3]);
}

TEST(Conv1d, RefusesWhatDoesNotFit) {
  Tape<double> tape;
  const auto x = tape.leaf(Tensor<double>({2, 3, 4}));
  const auto w = tape.leaf(Tensor<double>({5, 4, 3}));
  const auto narrow = tape.leaf(Tensor<double>({5, 6, 3}));
  const auto b = tape.leaf(Tensor<double>(Shape{4}));
  testing::expect_error<ShapeError>([&] { conv1d(x, narrow); }, "conv1d: x .*.2, 3, 4.*6");
  testing::expect_error<ShapeError>([&] { conv1d(x, w, b); }, "conv1d: bias .*.4.*.5.");
  testing::expect_error<ShapeError>(
      [&] {
        conv1d(x, w, {2, 0, 0});
      },
      "conv1d: 3 taps with dilation 2 span more than the 3");
  testing::expect_error<ValueError>([&] { conv1d(x, w, {0, 0, 0}); }, "conv1d: dilation 0");
  testing::expect_error<ValueError>([&] { conv1d(x, w, {1, -1, 0}); }, "padding -1 and 0");
}

}  // namespace
}  // namespace tapehead
