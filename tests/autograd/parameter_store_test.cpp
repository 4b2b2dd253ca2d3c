#include "autograd/parameter_store.h"

#include <limits>

#include "autograd/ops/operators.h"
#include "autograd/ops/square.h"
#include "autograd/ops/sum.h"
#include "autograd/tape.h"
#include "tests/support/expect.h"

namespace tapehead {
namespace {

ParameterStore<double>::Initializer filled_with(double value) {
  return [value](std::span<double> out) { std::fill(out.begin(), out.end(), value); };
}

TEST(ParameterStore, LaysParametersOutInOrderOnCacheLines) {
  ParameterStore<double> store;
  const auto& w = store.add("w", {3, 3}, ParameterKind::kWeight, filled_with(1));
  const auto& b = store.add("b", Shape{3}, ParameterKind::kBias, filled_with(2));
  EXPECT_EQ(store.parameter_count(), 12);
  EXPECT_EQ(w.offset(), 0);
  EXPECT_EQ(b.offset(), 16);  // 9 numbers take two lines of 8
  EXPECT_EQ(store.values().size(), 24);
  testing::expect_bits_equal(w.value(), Tensor<double>::full({3, 3}, 1));
  testing::expect_bits_equal(b.value(), Tensor<double>::full(Shape{3}, 2));
  for (const Index gap : {9, 15, 19, 23}) EXPECT_EQ(store.values()[gap], 0);
  EXPECT_EQ(b.index(), 1);
  EXPECT_EQ(b.kind(), ParameterKind::kBias);
}

TEST(ParameterStore, FindsByName) {
  ParameterStore<double> store;
  const auto& w = store.add("layer.weight", Shape{2}, ParameterKind::kWeight, filled_with(1));
  EXPECT_EQ(&store.find("layer.weight"), &w);
  EXPECT_TRUE(store.contains("layer.weight"));
  testing::expect_error<ValueError>([&] { store.find("layer.bias"); },
                                    "no parameter 'layer.bias'; there are: layer.weight");
}

TEST(ParameterStore, RefusesBadNamesAndLateParameters) {
  ParameterStore<double> store;
  const auto add = [&](const char* name) {
    store.add(name, Shape{1}, ParameterKind::kWeight, filled_with(0));
  };
  add("w");
  testing::expect_error<ValueError>([&] { add("w"); }, "the name 'w' is taken already");
  testing::expect_error<ValueError>([&] { add(""); }, "the name '' is empty");
  store.values();
  testing::expect_error<StateError>([&] { add("late"); },
                                    "'late' added after the values were handed out");
}

// 10^27 numbers, which neither a machine nor an Index could hold.
TEST(ParameterStore, RecordsShapesOfAnySizeWithoutValues) {
  using Store = ParameterStore<double>;
  constexpr Index kHuge = 1'000'000'000;
  const auto never = [](std::span<double>) { ADD_FAILURE() << "nothing is to be initialised"; };
  Store store(Store::Mode::kShapesOnly);
  store.add("b", Shape{3}, ParameterKind::kBias, never);
  EXPECT_EQ(store.parameter_count(), 3);
  const auto& w = store.add("w", {kHuge, kHuge, kHuge}, ParameterKind::kWeight, never);
  EXPECT_EQ(w.shape(), (Shape{kHuge, kHuge, kHuge}));
  EXPECT_EQ(&store.find("w"), &w);
  EXPECT_EQ(store.parameter_count(), std::numeric_limits<Index>::max());
  testing::expect_error<StateError>([&] { store.values(); }, "records shapes only");
  testing::expect_error<StateError>([&] { store.make_buffer(); }, "records shapes only");
  testing::expect_error<ValueError>(
      [&] { store.add("w", Shape{1}, ParameterKind::kWeight, never); }, "'w' is taken already");
}

TEST(ParameterOnTape, UsedTwiceIsOneLeaf) {
  ParameterStore<double> store;
  const auto& w = store.add("w", Shape{2}, ParameterKind::kWeight, filled_with(3));
  Tape<double> tape;
  const auto first = tape.parameter(w);
  EXPECT_TRUE(first.same_as(tape.parameter(w)));
  EXPECT_EQ(tape.node_count(), 1);
  tape.backward(sum(tape.parameter(w) * tape.parameter(w)));
  testing::expect_bits_equal(first.grad(), {{2}, {6, 6}});
}

TEST(ParameterOnTape, GradientsAddUpInABoundBufferOverPasses) {
  ParameterStore<double> store;
  store.add("v", Shape{3}, ParameterKind::kWeight, filled_with(1));
  const auto& w = store.add("w", Shape{2}, ParameterKind::kWeight, filled_with(3));
  Tensor<double> gradients = store.make_buffer();
  Tape<double> tape;
  tape.bind_gradients(store, gradients);
  for (int pass = 1; pass <= 3; ++pass) {
    tape.clear();
    tape.backward(sum(square(tape.parameter(w))));
    testing::expect_bits_equal(store.part(gradients, w),
                               Tensor<double>::full(Shape{2}, 6.0 * pass));
  }
  double total = 0;  // nothing else was written
  for (const double g : gradients.values()) total += g;
  EXPECT_EQ(total, 2 * 18);
}

TEST(ParameterOnTape, AGradientThatIsSharedIsAddedToTheBoundBufferOnly) {
  ParameterStore<double> store;
  const auto& w = store.add("w", Shape{2}, ParameterKind::kWeight, filled_with(3));
  Tape<double> tape;
  tape.bind_gradients(store, store.make_buffer());
  const auto x = tape.leaf({{2}, {1, 2}}, true);
  const auto p = tape.parameter(w);
  tape.backward(sum(p + x + p));
  testing::expect_bits_equal(p.grad(), {{2}, {2, 2}});
  testing::expect_bits_equal(x.grad(), {{2}, {1, 1}});
}

TEST(ParameterOnTape, MayBeSubstituted) {
  ParameterStore<double> store;
  const auto& w = store.add("w", Shape{2}, ParameterKind::kWeight, filled_with(3));
  Tape<double> tape;
  const auto x = tape.leaf({{2}, {5, 7}}, true);
  tape.substitute(w, x);
  EXPECT_TRUE(tape.parameter(w).same_as(x));
  testing::expect_error<ShapeError>([&] { tape.substitute(w, sum(x)); },
                                    "substitute: w has shape \\(2\\), value has shape \\(\\)");
  tape.clear();
  testing::expect_bits_equal(tape.parameter(w).value(), {{2}, {3, 3}});
}

TEST(ParameterOnTape, BindingIsRefusedWhereItCannotWork) {
  ParameterStore<double> store;
  const auto& w = store.add("w", Shape{2}, ParameterKind::kWeight, filled_with(3));
  Tape<double> tape;
  testing::expect_error<ShapeError>([&] { tape.bind_gradients(store, Tensor<double>(Shape{2})); },
                                    "bind_gradients: the buffer has shape \\(2\\), the store's "
                                    "values have \\(8\\)");
  tape.parameter(w);
  testing::expect_error<StateError>([&] { tape.bind_gradients(store, store.make_buffer()); },
                                    "bind_gradients: parameters of this store are on the tape");
}

TEST(ParameterOnTape, OnAnInferenceTapeNeedsNoGradient) {
  ParameterStore<double> store;
  const auto& w = store.add("w", Shape{2}, ParameterKind::kWeight, filled_with(3));
  Tape<double> tape(Tape<double>::Mode::kInference);
  EXPECT_FALSE(tape.parameter(w).requires_grad());
  EXPECT_EQ(sum(tape.parameter(w)).value().item(), 6);
}

}  // namespace
}  // namespace tapehead
