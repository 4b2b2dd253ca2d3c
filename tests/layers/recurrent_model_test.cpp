#include "layers/recurrent_model.h"

#include "tests/layers/layer_fixture.h"

namespace tapehead {
namespace {

TEST(RecurrentModel, CountsItsParameters) {
  testing::LayerFixture f;
  RecurrentModelConfig c;
  c.vocabulary = 7;
  c.d_model = 8;
  c.layers = 2;
  const RecurrentModel<double> model(f.root, c);
  // Two tables of 7 x 8, and in each layer four gates of 8 x (8 + 8) weights and two biases.
  EXPECT_EQ(f.store.parameter_count(), 2 * 7 * 8 + 2 * (4 * 8 * 16 + 2 * 4 * 8));
}

TEST(RecurrentModel, HasNoAttentionToMask) {
  testing::LayerFixture f;
  RecurrentModelConfig c;
  c.vocabulary = 7;
  c.d_model = 8;
  const RecurrentModel<double> model(f.root, c);
  EXPECT_NO_THROW(model.forward(f.tape, {{1, 2}, {3, 4}}, Mask::causal()));
  testing::expect_error<ValueError>(
      [&] {
        model.forward(f.tape, {{1, 2}, {3, 4}}, Mask::key_lengths({1}));
      },
      "recurrent model: a mask was given, but there is no attention");
}

}  // namespace
}  // namespace tapehead
