#include "layers/embedding.h"

#include "tests/layers/layer_fixture.h"

namespace tapehead {
namespace {

using testing::LayerFixture;

TEST(EmbeddingLayer, LooksUpRowsAndScoresByTheSameTable) {
  LayerFixture f;
  const Embedding<double> token(f.root / "token", 3, 2);
  f.set("token.weight", {{3, 2}, {1, 2, 3, 4, 5, 6}});
  const auto x = token.forward(f.tape, {{1, 2}, {2, 0}});
  testing::expect_bits_equal(x.value(), {{1, 2, 2}, {5, 6, 1, 2}});
  testing::expect_near(token.scores(x).value(), {{1, 2, 3}, {17, 39, 61, 5, 11, 17}}, 1e-15);
  EXPECT_EQ(f.store.parameters().size(), 1U);
}

}  // namespace
}  // namespace tapehead
