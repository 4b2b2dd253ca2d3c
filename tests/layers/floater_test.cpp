#include "layers/floater.h"

#include <array>
#include <cmath>
#include <limits>

#include "tests/layers/layer_fixture.h"

namespace tapehead {
namespace {

using testing::expect_bits_equal;
using testing::expect_near;
using testing::LayerFixture;

TEST(Floater, AZeroFieldGivesConstantPositions) {
  LayerFixture f;
  const Floater<double> floater(f.root / "p", 3);
  f.set("p.fc2.weight", Tensor<double>({3, 3}));
  f.set("p.fc2.bias", Tensor<double>({3}));
  const std::array<double, 4> positions = {0, 0.3, 7, 1000.5};
  const auto rows = floater.at(f.tape, positions).value();
  for (Index row = 0; row < 4; ++row) {
    expect_bits_equal(rows.view(row * 3, {1, 3}), f.value("p.start"));
  }
}

TEST(Floater, SolvesTheEquationToTheOrderOfRungeKutta) {
  // W_1 = 0, b_1 = 0: p' = W_2 tanh(w t) + b_2, so p(t) = start + W_2 log(cosh(w t)) / w + b_2 t.
  LayerFixture f;
  const Floater<double> floater(f.root / "p", 1);
  f.set("p.start", {{1, 1}, {0.4}});
  f.set("p.fc1.weight", {{1, 1}, {0}});
  f.set("p.fc1.bias", {{1}, {0}});
  f.set("p.time", {{1}, {1.5}});
  f.set("p.fc2.weight", {{1, 1}, {2.5}});
  f.set("p.fc2.bias", {{1}, {-0.7}});
  const std::array<double, 6> positions = {0.25, 1, 4.5, 20, 60, 60.75};
  const auto rows = floater.at(f.tape, positions).value();
  for (Index i = 0; i < 6; ++i) {
    const double t = 0.1 * positions[static_cast<std::size_t>(i)];
    // A step of 0.1 errs by at most 0.1^5 / 2880 * 2.5 * max|(tanh 1.5 t)''''|, 120 or so; and
    // errors add up over some 10 steps, after which the derivatives vanish.
    EXPECT_NEAR(rows[i], 0.4 + 2.5 * std::log(std::cosh(1.5 * t)) / 1.5 - 0.7 * t, 1e-5);
  }
}

TEST(Floater, FractionsLieOnTheWayToTheNextPosition) {
  LayerFixture f;
  const Floater<double> floater(f.root / "p", 4);
  const std::array<double, 3> near = {2 - 1e-7, 2, 2 + 1e-7};
  const auto rows = floater.at(f.tape, near).value();
  expect_near(rows.view(0, {4}), rows.view(4, {4}), 1e-7);
  expect_near(rows.view(8, {4}), rows.view(4, {4}), 1e-7);
}

TEST(Floater, APositionDoesNotDependOnTheOthersAndWorksPastTheTrainingLength) {
  LayerFixture f;
  const Floater<double> floater(f.root / "p", 4);
  const auto zeros = [&](Index n) { return f.tape.leaf(Tensor<double>({1, n, 4})); };
  const auto whole = floater.forward(zeros(300)).value();
  for (const double x : whole.values()) EXPECT_TRUE(std::isfinite(x));
  expect_bits_equal(floater.forward(zeros(2), 298).value(), whole.view(298 * 4, {1, 2, 4}));
  Tensor<double> state;
  expect_bits_equal(floater.forward(zeros(3), 0, &state).value(), whole.view(0, {1, 3, 4}));
  expect_bits_equal(floater.forward(zeros(2), 3, &state).value(), whole.view(3 * 4, {1, 2, 4}));
  const std::array<double, 1> alone = {5};
  expect_bits_equal(floater.at(f.tape, alone).value(), whole.view(5 * 4, {1, 4}));
}

TEST(Floater, RefusesPositionsThatDoNotAscend) {
  LayerFixture f;
  const Floater<double> floater(f.root / "p", 2);
  const auto call = [&](double a, double b) {
    return [&, a, b] {
      const std::array<double, 2> positions = {a, b};
      floater.at(f.tape, positions);
    };
  };
  testing::expect_error<ValueError>(call(-1, 0), "position -1 after 0");
  testing::expect_error<ValueError>(call(2, 1.5), "position 1.5 after 2");
  testing::expect_error<ValueError>(call(0, std::numeric_limits<double>::infinity()), "inf");
  testing::expect_error<ShapeError>([&] { floater.forward(f.input({1, 2, 3}, 1)); }, "3");
}

}  // namespace
}  // namespace tapehead
