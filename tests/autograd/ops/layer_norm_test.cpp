#include "autograd/ops/layer_norm.h"

#include <cmath>

#include "tests/support/expect.h"

namespace tapehead {
namespace {

TEST(LayerNorm, MatchesItsClosedForm) {
  Tape<double> tape;
  // Mean 2, variance 2/3.
  const auto x = tape.leaf({{1, 3}, {1, 2, 3}});
  const auto w = tape.leaf({{3}, {1, 2, 10}});
  const auto b = tape.leaf({{3}, {0, 5, -1}});
  const double h = 1 / std::sqrt(2.0 / 3.0 + 0.25);
  testing::expect_near(layer_norm(x, w, b, 0.25).value(), {{1, 3}, {-h, 5, 10 * h - 1}}, 1e-15);
  testing::expect_near(layer_norm(x, w, 0.25).value(), {{1, 3}, {-h, 0, 10 * h}}, 1e-15);
}

TEST(LayerNorm, RowsHaveMeanZeroAndVarianceOne) {
  Tape<float> tape;
  Tensor<float> x({2, 40});
  for (Index i = 0; i < x.size(); ++i) x[i] = 1000.0f + static_cast<float>((i * 7) % 11);
  const auto y = layer_norm(tape.leaf(x), tape.leaf(Tensor<float>::full({40}, 1)), 0.0).value();
  for (Index r = 0; r < 2; ++r) {
    double sum = 0, squares = 0;
    for (Index j = 0; j < 40; ++j) {
      sum += y[r * 40 + j];
      squares += std::pow(y[r * 40 + j], 2);
    }
    EXPECT_NEAR(sum / 40, 0, 1e-4);  // 1000 +- 5 in float: 6e-5 in x, 2e-5 after scaling
    EXPECT_NEAR(squares / 40, 1, 1e-5);
  }
}

TEST(LayerNorm, ShiftingARowChangesNothing) {
  Tape<double> tape;
  const auto w = tape.leaf({{4}, {1, 2, 3, 4}});
  const auto a = layer_norm(tape.leaf({{1, 4}, {1, -2, 0, 5}}), w);
  const auto b = layer_norm(tape.leaf({{1, 4}, {101, 98, 100, 105}}), w);
  testing::expect_near(a.value(), b.value(), 1e-12);
}

TEST(LayerNorm, AConstantRowGivesTheBias) {
  Tape<double> tape;
  const auto w = tape.leaf({{2}, {3, 4}});
  const auto b = tape.leaf({{2}, {7, 8}});
  testing::expect_near(layer_norm(tape.leaf({{1, 2}, {5, 5}}), w, b).value(), {{1, 2}, {7, 8}}, 0);
}

TEST(LayerNorm, RefusesShapesThatDoNotFitAndANegativeEps) {
  Tape<double> tape;
  const auto x = tape.leaf(Tensor<double>({2, 3}));
  const auto w3 = tape.leaf(Tensor<double>({3}));
  const auto w4 = tape.leaf(Tensor<double>({4}));
  const auto scalar = tape.leaf(Tensor<double>::scalar(1));
  testing::expect_error<ShapeError>([&] { layer_norm(x, w4); }, "layer_norm: weight .*4.*3");
  testing::expect_error<ShapeError>([&] { layer_norm(x, w3, w4); }, "layer_norm: bias .*4.*3");
  testing::expect_error<ShapeError>([&] { layer_norm(scalar, w3); }, "layer_norm: x .*\\(\\).*1");
  testing::expect_error<ValueError>([&] { layer_norm(x, w3, -1e-5); }, "layer_norm: eps is -1e-05");
}

}  // namespace
}  // namespace tapehead
