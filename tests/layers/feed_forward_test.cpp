#include "layers/feed_forward.h"

#include <algorithm>

#include "tests/layers/layer_fixture.h"

namespace tapehead {
namespace {

using testing::LayerFixture;

TEST(FeedForward, MatchesItsFormulaPositionByPosition) {
  LayerFixture f;
  const FeedForward<double> ff(f.root / "ff", 2, 2, Activation::kRelu);
  f.set("ff.fc1.weight", {{2, 2}, {1, 0, -1, 1}});
  f.set("ff.fc1.bias", {{2}, {0, 1}});
  f.set("ff.fc2.weight", {{2, 2}, {2, 3, 0, 1}});
  f.set("ff.fc2.bias", {{2}, {1, -1}});
  // x = (2, -4): hidden relu(2, -5) = (2, 0) -> (5, -1).  x = (-1, 1): relu(-1, 3) = (0, 3) ->
  // (10, 2).
  const auto y = ff.forward(f.tape.leaf({{1, 2, 2}, {2, -4, -1, 1}}));
  testing::expect_near(y.value(), {{1, 2, 2}, {5, -1, 10, 2}}, 1e-15);
}

}  // namespace
}  // namespace tapehead
