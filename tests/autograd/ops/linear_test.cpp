#include "autograd/ops/linear.h"

#include "autograd/parameter_store.h"
#include "tests/support/expect.h"

namespace tapehead {
namespace {

TEST(Linear, MatchesItsClosedForm) {
  Tape<double> tape;
  const auto x = tape.leaf({{1, 2, 3}, {1, 2, 3, -1, 0, 1}});
  const auto w = tape.leaf({{2, 3}, {1, 0, -1, 2, 1, 0}});
  const auto b = tape.leaf({{2}, {10, 20}});
  testing::expect_near(linear(x, w, b).value(), {{1, 2, 2}, {8, 24, 8, 18}}, 0);
  testing::expect_near(linear(x, w).value(), {{1, 2, 2}, {-2, 4, -2, -2}}, 0);
}

TEST(Linear, GradientsMatchTheirClosedForm) {
  Tape<double> tape;
  const auto x = tape.leaf({{2, 2}, {1, 2, 3, 4}}, true);
  const auto w = tape.leaf({{1, 2}, {5, 6}}, true);
  const auto b = tape.leaf({{1}, {7}}, true);
  tape.backward(linear(x, w, b), {{2, 1}, {1, 10}});
  testing::expect_near(x.grad(), {{2, 2}, {5, 6, 50, 60}}, 0);
  testing::expect_near(w.grad(), {{1, 2}, {31, 42}}, 0);
  testing::expect_near(b.grad(), {{1}, {11}}, 0);
}

TEST(Linear, AddsToABoundGradientBuffer) {
  ParameterStore<double> store;
  const auto twos = [](std::span<double> v) { std::fill(v.begin(), v.end(), 2.0); };
  const auto& w = store.add("w", {1, 2}, ParameterKind::kWeight, twos);
  const auto& b = store.add("b", {1}, ParameterKind::kBias, twos);
  Tensor<double> gradients = store.make_buffer();
  gradients.fill(100);
  Tape<double> tape;
  tape.bind_gradients(store, gradients);
  const auto x = tape.leaf({{1, 2}, {3, 4}});
  tape.backward(linear(x, tape.parameter(w), tape.parameter(b)), {{1, 1}, {1}});
  testing::expect_near(store.part(gradients, w), {{1, 2}, {103, 104}}, 0);
  testing::expect_near(store.part(gradients, b), {{1}, {101}}, 0);
}

TEST(Linear, RefusesShapesThatDoNotFit) {
  Tape<double> tape;
  const auto x = tape.leaf(Tensor<double>({2, 3}));
  const auto w = tape.leaf(Tensor<double>({4, 5}));
  const auto b = tape.leaf(Tensor<double>({6}));
  testing::expect_error<ShapeError>([&] { linear(x, w); }, "linear: x .*\\(2, 3\\).*5");
  testing::expect_error<ShapeError>([&] { linear(x, w, b); }, "linear: bias .*\\(6\\).*\\(4\\)");
  testing::expect_error<ShapeError>([&] { linear(x, b); }, "linear: weight .*\\(6\\).*2");
}

}  // namespace
}  // namespace tapehead
