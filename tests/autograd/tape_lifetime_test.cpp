#include <optional>

#include "autograd/ops/operators.h"
#include "autograd/ops/square.h"
#include "autograd/ops/sum.h"
#include "autograd/tape.h"
#include "tests/support/expect.h"

namespace tapehead {
namespace {

using Mode = Tape<double>::Mode;
const Tensor<double> kVector({3}, {1, 2, 3});
constexpr Index kLongChain = 100000;

Var<double> chain(Var<double> x, Index length) {
  for (Index i = 0; i < length; ++i) x = scale(x, i % 2 == 0 ? 2.0 : 0.5);
  return x;
}

TEST(Tape, ALongChainRunsBackwardAndIsClearedWithoutRecursion) {
  Tape<double> tape;
  const auto x = tape.leaf(kVector, true);
  const auto y = chain(x, kLongChain);
  EXPECT_EQ(tape.node_count(), kLongChain + 1);
  testing::expect_bits_equal(y.value(), kVector);
  tape.backward(sum(y));
  testing::expect_bits_equal(x.grad(), {{3}, {1, 1, 1}});
  tape.clear();
  EXPECT_EQ(tape.node_count(), 0);
}

TEST(Tape, ALongChainIsFreedWithItsTapeBeforeBackward) {
  Tape<double> tape;
  chain(tape.leaf(kVector, true), kLongChain);
}

TEST(Tape, ALongChainIsFreedWithItsTapeWhileAVarIsHeld) {
  Var<double> last;
  {
    Tape<double> tape;
    last = chain(tape.leaf(kVector, true), kLongChain);
  }
  testing::expect_error<StateError>([&] { last.value(); }, "stale Var \\(op 'scale'");
}

TEST(Tape, ALongChainOnAnInferenceTapeKeepsOnlyItsEnd) {
  Tape<double> tape(Mode::kInference);
  const auto y = chain(tape.leaf(kVector, true), kLongChain);
  testing::expect_bits_equal(y.value(), kVector);
  EXPECT_EQ(tape.node_count(), 1);
}

TEST(Tape, InferenceKeepsNothingButTheLastValue) {
  constexpr Index kSize = 1000;
  constexpr std::size_t kBytes = kSize * sizeof(double);
  Tape<double> tape(Mode::kInference);
  auto x = chain(tape.leaf(Tensor<double>(Shape{kSize}), true), 1);
  const std::size_t in_use = tape.pool().bytes_in_use();
  EXPECT_LE(in_use, 2 * kBytes);
  x = chain(x, 100);
  EXPECT_EQ(tape.pool().bytes_in_use(), in_use);
  EXPECT_LT(tape.pool().peak_bytes(), 4 * kBytes);  // x, one input, one output, the nodes
  EXPECT_FALSE(x.requires_grad());
}

TEST(Tape, RecordingWithoutGradientKeepsNoBackwardFunctions) {
  Tape<double> tape;
  const auto y = square(tape.leaf(kVector));
  EXPECT_FALSE(y.requires_grad());
}

TEST(Var, IsStaleAfterClear) {
  Tape<double> tape;
  const auto y = square(tape.leaf(kVector, true));
  tape.clear();
  const std::string message =
      "var: stale Var \\(op 'square', shape \\(3\\)\\): its tape was cleared or destroyed";
  testing::expect_error<StateError>([&] { y.value(); }, message);
  testing::expect_error<StateError>([&] { y.shape(); }, message);
  testing::expect_error<StateError>([&] { y.grad(); }, message);
  testing::expect_error<StateError>([&] { square(y); }, message);
  testing::expect_error<StateError>([&] { tape.backward(y); }, message);
  testing::expect_error<StateError>([&] { add(tape.leaf(kVector), y); }, message);
}

TEST(Var, IsStaleAfterTheEndOfItsTape) {
  for (const Mode mode : {Mode::kRecord, Mode::kInference}) {
    std::optional<Tape<double>> tape(std::in_place, mode);
    auto y = square(tape->leaf(kVector, true));
    const auto copy = y;
    tape.reset();
    testing::expect_error<StateError>([&] { y.value(); }, "stale Var \\(op 'square'");
    y = {};
    testing::expect_error<StateError>([&] { copy.tape(); }, "stale Var");
  }
}

TEST(Var, StaysStaleWhenTheTapeIsUsedAgain) {
  Tape<double> tape;
  const auto old = square(tape.leaf(kVector, true));
  tape.clear();
  const auto fresh = square(tape.leaf(kVector, true));
  testing::expect_error<StateError>([&] { old.value(); }, "stale Var");
  testing::expect_bits_equal(fresh.value(), {{3}, {1, 4, 9}});
}

TEST(Var, EmptyOneSaysSo) {
  const Var<double> empty;
  EXPECT_FALSE(empty.defined());
  testing::expect_error<StateError>([&] { empty.value(); }, "var: this Var is empty");
}

TEST(Var, HeldOnesStayReadableAfterBackward) {
  Tape<double> tape;
  const auto x = tape.leaf(kVector, true);
  const auto y = square(x);
  const auto loss = sum(square(y));
  tape.backward(loss);
  testing::expect_bits_equal(y.value(), {{3}, {1, 4, 9}});
  testing::expect_bits_equal(x.value(), kVector);
  EXPECT_EQ(loss.value().item(), 98);
}

TEST(Tape, BackwardFreesWhatNobodyHolds) {
  constexpr Index kSize = 1000;
  constexpr Index kOps = 50;
  Tape<double> tape;
  const auto x = tape.leaf(Tensor<double>(Shape{kSize}), true);
  const auto loss = sum(chain(x, kOps));
  const std::size_t recorded = tape.pool().bytes_in_use();
  EXPECT_GT(recorded, kOps * kSize * sizeof(double));
  tape.backward(loss);
  // Left are the nodes themselves, the loss and one gradient.
  EXPECT_LT(tape.pool().bytes_in_use(), kOps * kSize * sizeof(double) / 2);
  EXPECT_LT(tape.pool().peak_bytes(), recorded + 4 * kSize * sizeof(double));
  testing::expect_bits_equal(x.grad(), Tensor<double>::full(Shape{kSize}, 1));
}

}  // namespace
}  // namespace tapehead
