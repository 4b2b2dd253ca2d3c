#include "layers/linear.h"

#include "tests/layers/layer_fixture.h"

namespace tapehead {
namespace {

using testing::LayerFixture;

TEST(LinearLayer, ComputesXTimesWeightTransposedPlusBias) {
  LayerFixture f;
  const Linear<double> fc(f.root / "fc", 2, 3);
  f.set("fc.weight", {{3, 2}, {1, 2, 3, 4, 5, 6}});
  f.set("fc.bias", {{3}, {0.5, 0, -1}});
  const auto y = fc.forward(f.tape.leaf({{1, 2}, {10, 1}}));
  testing::expect_near(y.value(), {{1, 3}, {12.5, 34, 55}}, 1e-15);
}

TEST(LinearLayer, WithoutBiasHasOneParameter) {
  LayerFixture f;
  const Linear<double> fc(f.root / "fc", 2, 3, false);
  EXPECT_EQ(f.store.parameters().size(), 1U);
  EXPECT_EQ(fc.forward(f.tape.leaf(Tensor<double>({4, 2}))).shape(), (Shape{4, 3}));
}

}  // namespace
}  // namespace tapehead
