#include "autograd/tape.h"

#include <array>
#include <span>

#include "autograd/ops/log.h"
#include "autograd/ops/mean.h"
#include "autograd/ops/operators.h"
#include "autograd/ops/reshape.h"
#include "autograd/ops/square.h"
#include "autograd/ops/sum.h"
#include "tests/support/expect.h"

namespace tapehead {
namespace {

using Mode = Tape<double>::Mode;
const Tensor<double> kX({3}, {1, 2, 3});

TEST(Tape, ComputesTheGradientOfItsExample) {
  Tape<double> tape;
  const auto x = tape.leaf(kX, true);
  const auto loss = sum(square(x));
  EXPECT_EQ(loss.value().item(), 14);
  tape.backward(loss);
  testing::expect_bits_equal(x.grad(), {{3}, {2, 4, 6}});
}

TEST(Tape, GradientsAddUpWhereAValueIsUsedTwice) {
  Tape<double> tape;
  const auto x = tape.leaf(kX, true);
  const auto y = x * x;               // dy/dx = 2 x
  tape.backward(sum(y + y + x + x));  // 4 x + 2
  testing::expect_bits_equal(x.grad(), {{3}, {6, 10, 14}});
}

// y and z get the very tensor that arrives at their sum; adding to one must not change the other.
TEST(Tape, GradientsThatShareNumbersAreNotDamaged) {
  Tape<double> tape;
  const auto x = tape.leaf(kX, true);
  const auto y = reshape(x, {3, 1});
  const auto z = reshape(x, {3, 1});
  for (const auto& kept : {y, z}) tape.keep_grad(kept);
  const auto both = y + z;
  tape.keep_grad(both);
  tape.backward(sum(both + z * 2 + x.tape().leaf(Tensor<double>({3, 1}))));
  testing::expect_bits_equal(both.grad(), {{3, 1}, {1, 1, 1}});
  testing::expect_bits_equal(y.grad(), {{3, 1}, {1, 1, 1}});
  testing::expect_bits_equal(z.grad(), {{3, 1}, {3, 3, 3}});
  testing::expect_bits_equal(x.grad(), {{3}, {4, 4, 4}});
}

TEST(Tape, AnUpstreamGradientOfTheCallerIsNotWrittenTo) {
  Tape<double> tape;
  const auto x = tape.leaf(kX, true);
  const auto y = reshape(x, {1, 3});
  const Tensor<double> upstream({1, 3}, {1, 10, 100});
  tape.backward(y + reshape(x, {1, 3}), upstream);
  testing::expect_bits_equal(upstream, {{1, 3}, {1, 10, 100}});
  testing::expect_bits_equal(x.grad(), {{3}, {2, 20, 200}});
}

TEST(Tape, ALeafMayBeTheLoss) {
  Tape<double> tape;
  const auto x = tape.leaf(kX, true);
  tape.backward(x, {{3}, {4, 5, 6}});
  testing::expect_bits_equal(x.grad(), {{3}, {4, 5, 6}});
}

TEST(Tape, WhatTheLossDoesNotDependOnHasGradientZero) {
  Tape<double> tape;
  const auto x = tape.leaf(kX, true);
  const auto unused = tape.leaf(kX, true);
  const auto loss = sum(x);
  const auto later = sum(unused);
  tape.backward(loss);
  testing::expect_bits_equal(unused.grad(), {{3}, {0, 0, 0}});
  EXPECT_EQ(later.value().item(), 6);
}

TEST(Tape, CountsItsOpsAndNodes) {
  Tape<double> tape;
  const auto x = tape.leaf(kX, true);
  const auto y = square(square(x));
  EXPECT_EQ(tape.count(Op::square), 2);
  EXPECT_EQ(tape.count(Op::leaf), 1);
  EXPECT_EQ(tape.count(Op::sum), 0);
  EXPECT_EQ(tape.node_count(), 3);
  tape.clear();
  EXPECT_EQ(tape.node_count(), 0);
}

TEST(Tape, ServesOnePassAfterTheOther) {
  Tape<double> tape;
  for (int pass = 1; pass <= 3; ++pass) {
    tape.clear();
    const auto x = tape.leaf(Tensor<double>::scalar(pass), true);
    tape.backward(square(x));
    EXPECT_EQ(x.grad().item(), 2.0 * pass);
  }
}

TEST(Tape, RefusesASecondBackward) {
  Tape<double> tape;
  const auto x = tape.leaf(kX, true);
  const auto loss = sum(x);
  tape.backward(loss);
  testing::expect_error<StateError>([&] { tape.backward(loss); },
                                    "backward: it has run on this tape already");
  testing::expect_bits_equal(x.grad(), {{3}, {1, 1, 1}});
}

TEST(Tape, RefusesToRecordAfterBackward) {
  Tape<double> tape;
  const auto x = tape.leaf(kX, true);
  tape.backward(sum(x));
  testing::expect_error<StateError>([&] { square(x); },
                                    "square: this tape has run backward.*clear\\(\\) it first");
  testing::expect_error<StateError>([&] { tape.leaf(kX); }, "leaf: this tape has run backward");
  testing::expect_bits_equal(x.grad(), {{3}, {1, 1, 1}});
}

TEST(Tape, RefusesALossOfSeveralNumbers) {
  Tape<double> tape;
  const auto x = tape.leaf(kX, true);
  testing::expect_error<ShapeError>([&] { tape.backward(square(x)); },
                                    "backward: the loss has shape \\(3\\).*one number");
  testing::expect_error<ShapeError>([&] { tape.backward(square(x), Tensor<double>(Shape{4})); },
                                    "backward: y has shape \\(3\\), upstream has shape \\(4\\)");
}

TEST(Tape, RefusesALossWithoutGradient) {
  Tape<double> tape;
  testing::expect_error<StateError>([&] { tape.backward(sum(tape.leaf(kX))); },
                                    "backward: the loss \\(op 'sum'\\) depends on no value");
}

TEST(Tape, RefusesBackwardWithoutRecording) {
  Tape<double> tape(Mode::kInference);
  testing::expect_error<StateError>([&] { tape.backward(sum(tape.leaf(kX, true))); },
                                    "backward: this tape does not record");
}

TEST(Tape, RefusesInputsFromTwoTapes) {
  Tape<double> one, two;
  testing::expect_error<StateError>([&] { add(one.leaf(kX), two.leaf(kX)); },
                                    "add: its inputs are on two different tapes");
  testing::expect_error<StateError>([&] { one.backward(sum(two.leaf(kX, true))); },
                                    "backward: the loss is on another tape");
}

TEST(Tape, RefusesAnEmptyTensorAsLeaf) {
  Tape<double> tape;
  testing::expect_error<ValueError>([&] { tape.leaf({}); }, "leaf: the tensor is empty");
}

TEST(Tape, RefusesAGradientOfTheWrongShape) {
  Tape<double> tape;
  const auto x = tape.leaf(kX, true);
  const auto y =
      tape.record_custom("bad", Tensor<double>::scalar(0), {x},
                         [x](Tape<double>& t, const Tensor<double>&, const Tensor<double>&) {
                           t.add_grad(x, Tensor<double>({3, 1}));
                         });
  testing::expect_error<ShapeError>(
      [&] { tape.backward(y); },
      "add_grad: gradient of shape \\(3, 1\\) for op 'leaf' of shape \\(3\\)");
}

TEST(Tape, RefusesAProductOfTheWrongSize) {
  Tape<double> tape;
  const auto x = tape.leaf(kX, true);
  const auto y =
      tape.record_custom("bad", Tensor<double>::scalar(0), {x},
                         [x](Tape<double>& t, const Tensor<double>&, const Tensor<double>&) {
                           t.add_grad_product(x, {.m = 2, .n = 2, .k = 1});
                         });
  testing::expect_error<ShapeError>([&] { tape.backward(y); },
                                    "add_grad_product: a 2 x 2 product for op 'leaf' of shape");
}

// A pass that an error stopped leaves gradients that are only partly summed: never to be read.
TEST(Tape, RefusesTheGradientsOfABackwardThatFailed) {
  Tape<double> tape;
  const auto x = tape.leaf(kX, true);
  const auto y = tape.record_custom(
      "bad", kX, {x}, [x](Tape<double>&, const Tensor<double>&, const Tensor<double>&) {
        throw ValueError("bad: broken");
      });
  testing::expect_error<ValueError>([&] { tape.backward(sum(y + x)); }, "bad: broken");
  testing::expect_error<StateError>(
      [&] { x.grad(); }, "grad: backward was stopped by an error, so gradients are partial");
  tape.clear();
  const auto again = tape.leaf(kX, true);
  tape.backward(sum(again));
  testing::expect_bits_equal(again.grad(), {{3}, {1, 1, 1}});
}

TEST(KeepGrad, KeepsTheGradientOfAnIntermediateValue) {
  Tape<double> tape;
  const auto x = tape.leaf(kX, true);
  const auto y = square(x);
  const auto z = square(y);
  tape.keep_grad(y);
  tape.backward(sum(z));
  testing::expect_bits_equal(y.grad(), {{3}, {2, 8, 18}});  // 2 y
  testing::expect_bits_equal(x.grad(), {{3}, {4, 32, 108}});
  testing::expect_error<StateError>([&] { z.grad(); },
                                    "no gradient was kept for op 'square', shape \\(3\\); call "
                                    "tape.keep_grad");
}

TEST(KeepGrad, IsRefusedWhenItIsTooLate) {
  Tape<double> tape;
  const auto x = tape.leaf(kX, true);
  const auto y = square(x);
  tape.backward(sum(y));
  testing::expect_error<StateError>([&] { tape.keep_grad(y); },
                                    "keep_grad: backward has run already \\(op 'square', shape "
                                    "\\(3\\)\\)");
}

TEST(Grad, IsRefusedBeforeBackwardAndWithoutRequest) {
  Tape<double> tape;
  const auto x = tape.leaf(kX, true);
  const auto constant = tape.leaf(kX);
  testing::expect_error<StateError>(
      [&] { x.grad(); }, "grad: backward has not run yet \\(op 'leaf', shape \\(3\\)\\)");
  tape.backward(sum(x * constant));
  testing::expect_error<StateError>([&] { constant.grad(); },
                                    "no gradient was kept for op 'leaf', shape \\(3\\); it "
                                    "requires no gradient");
}

// (x^2, 10 x), as one op.
std::array<Var<double>, 2> square_and_tenfold(const Var<double>& x) {
  Tape<double>& tape = x.tape();
  std::array<Tensor<double>, 2> ys = {tape.allocate(x.shape()), tape.allocate(x.shape())};
  for (Index i = 0; i < x.shape().size(); ++i) {
    ys[0][i] = x.value()[i] * x.value()[i];
    ys[1][i] = 10 * x.value()[i];
  }
  return tape.record_several(Op::custom, ys, std::span(&x, 1),
                             [x](Tape<double>& t, const std::array<Tensor<double>, 2>& dys) {
                               Tensor<double> dx = t.allocate_zeros(x.shape());
                               for (Index i = 0; i < dx.size(); ++i) {
                                 if (dys[0].defined()) dx[i] += 2 * x.value()[i] * dys[0][i];
                                 if (dys[1].defined()) dx[i] += 10 * dys[1][i];
                               }
                               t.add_grad(x, dx);
                             });
}

TEST(TapeOfSeveralResults, GradientsOfAllArriveAtOnce) {
  Tape<double> tape;
  const auto x = tape.leaf(kX, true);
  const auto [a, b] = square_and_tenfold(x);
  tape.backward(sum(a * b + b));  // 10 x^3 + 10 x
  testing::expect_bits_equal(x.grad(), {{3}, {40, 130, 280}});
}

TEST(TapeOfSeveralResults, AnyOfThemMayBeTheOnlyOneUsedOrTheLoss) {
  for (const std::size_t used : {std::size_t{0}, std::size_t{1}}) {
    for (const bool is_loss : {false, true}) {
      Tape<double> tape;
      const auto x = tape.leaf(kX, true);
      const auto y = square_and_tenfold(x)[used];
      tape.backward(is_loss ? y : y * 1.0, Tensor<double>::full({3}, 1));
      testing::expect_bits_equal(
          x.grad(), used == 0 ? Tensor<double>({3}, {2, 4, 6}) : Tensor<double>({3}, {10, 10, 10}));
    }
  }
}

TEST(TapeOfSeveralResults, TheirGradientsCanBeKept) {
  Tape<double> tape;
  const auto x = tape.leaf(kX, true);
  const auto [a, b] = square_and_tenfold(x);
  tape.keep_grad(a);
  tape.keep_grad(b);
  tape.backward(sum(a * b));
  testing::expect_bits_equal(a.grad(), {{3}, {10, 20, 30}});
  testing::expect_bits_equal(b.grad(), {{3}, {1, 4, 9}});
  testing::expect_bits_equal(x.grad(), {{3}, {30, 120, 270}});
}

TEST(TapeOfSeveralResults, NothingIsKeptWhereNothingIsRecorded) {
  Tape<double> tape(Mode::kInference);
  const auto x = tape.leaf(kX, true);
  {
    const auto [a, b] = square_and_tenfold(x);
    testing::expect_bits_equal(b.value(), {{3}, {10, 20, 30}});
    EXPECT_EQ(tape.node_count(), 3);
  }
  EXPECT_EQ(tape.node_count(), 1);
}

}  // namespace
}  // namespace tapehead
