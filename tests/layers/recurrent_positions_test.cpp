#include "layers/recurrent_positions.h"

#include <cmath>

#include "tests/layers/layer_fixture.h"

namespace tapehead {
namespace {

using testing::expect_bits_equal;
using testing::LayerFixture;

TEST(RecurrentPositions, AddsTheStatesOfATanhNetwork) {
  LayerFixture f;
  const RecurrentPositions<double> positions(f.root / "p", 1);
  f.set("p.weight_ih_l0", {{1, 1}, {0.5}});
  f.set("p.bias_ih_l0", {{1}, {0.4}});
  f.set("p.weight_hh_l0", {{1, 1}, {-2}});
  f.set("p.bias_hh_l0", {{1}, {-0.3}});
  const auto y = positions.forward(f.tape.leaf({{1, 3, 1}, {1, 2, 3}})).value();
  const double h0 = std::tanh(0.6), h1 = std::tanh(1.1 - 2 * h0), h2 = std::tanh(1.6 - 2 * h1);
  testing::expect_near(y, {{1, 3, 1}, {1 + h0, 2 + h1, 3 + h2}}, 1e-15);
}

TEST(RecurrentPositions, GoesOnFromItsStatePastAnyLength) {
  LayerFixture f;
  const RecurrentPositions<double> positions(f.root / "p", 4);
  const auto x = randn({2, 300, 4}, 1);
  const auto whole = positions.forward(f.tape.leaf(x)).value();
  const auto piece = [&](Index begin, Index end) {
    Tensor<double> part({2, end - begin, 4});
    for (Index b = 0; b < 2; ++b) {
      std::copy_n(x.data() + (b * 300 + begin) * 4, (end - begin) * 4,
                  part.data() + b * (end - begin) * 4);
    }
    return f.tape.leaf(part);
  };
  Tensor<double> state;
  positions.forward(piece(0, 200), &state);
  positions.forward(piece(200, 299), &state);
  const auto last = positions.forward(piece(299, 300), &state).value();
  testing::expect_near(last.view(0, {4}), whole.view(299 * 4, {4}), 1e-14);
  testing::expect_near(last.view(4, {4}), whole.view(599 * 4, {4}), 1e-14);
}

TEST(RecurrentPositions, ATokenChangesNothingBeforeIt) {
  LayerFixture f;
  const RecurrentPositions<double> positions(f.root / "p", 2);
  Tensor<double> x = randn({1, 5, 2}, 1);
  const auto before = positions.forward(f.tape.leaf(x.clone())).value();
  x[3 * 2] += 1;
  const auto after = positions.forward(f.tape.leaf(x)).value();
  expect_bits_equal(after.view(0, {3, 2}), before.view(0, {3, 2}));
  EXPECT_NE(after[4 * 2], before[4 * 2]);
}

}  // namespace
}  // namespace tapehead
