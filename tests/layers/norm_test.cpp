#include "layers/norm.h"

#include <cmath>

#include "tests/layers/layer_fixture.h"

namespace tapehead {
namespace {

using testing::LayerFixture;

TEST(NormLayer, FreshLayerNormGivesRowsOfMeanZeroAndVarianceOne) {
  LayerFixture f;
  const LayerNorm<double> norm(f.root / "norm", 64);
  const auto y = norm.forward(f.input({3, 64}, 1)).value();
  for (Index r = 0; r < 3; ++r) {
    double sum = 0, squares = 0;
    for (Index c = 0; c < 64; ++c) {
      sum += y[r * 64 + c];
      squares += y[r * 64 + c] * y[r * 64 + c];
    }
    EXPECT_NEAR(sum, 0.0, 1e-12);
    EXPECT_NEAR(squares / 64, 1.0, 2 * LayerNorm<double>::kEps);  // eps shrinks it by eps / var
  }
  EXPECT_EQ(f.store.find("norm.bias").kind(), ParameterKind::kNorm);
}

TEST(NormLayer, RmsNormDividesByTheRootOfTheMeanSquare) {
  LayerFixture f;
  const Norm<double> norm(f.root / "norm", NormKind::kRms, 2, true);
  const auto y = norm.forward(f.tape.leaf({{1, 2}, {3, 4}})).value();
  const double rms = std::sqrt(12.5 + RmsNorm<double>::kEps);
  testing::expect_near(y, {{1, 2}, {3 / rms, 4 / rms}}, 1e-15);
  EXPECT_EQ(f.store.parameters().size(), 1U);  // no bias
}

}  // namespace
}  // namespace tapehead
