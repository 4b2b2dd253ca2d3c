#include "layers/conv_model.h"

#include "tests/layers/layer_fixture.h"

namespace tapehead {
namespace {

ConvModelConfig conv_model_config() {
  ConvModelConfig c;
  c.vocabulary = 5;
  c.layers = 3;
  c.block.d_model = 4;
  c.block.d_ff = 6;
  c.block.kernel_size = 2;
  return c;
}

// Three layers of two taps, 1, 2 and 4 apart: the last output depends on 8 inputs and no more.
TEST(ConvModel, SeesItsReceptiveFieldAndNothingBefore) {
  const ConvModelConfig c = conv_model_config();
  EXPECT_EQ(c.receptive_field(), 8);
  testing::LayerFixture f;
  const ConvModel<double> model(f.root, c);
  const auto last_logit = [&](std::vector<TokenId> tokens, std::size_t changed) {
    tokens[changed] = (tokens[changed] + 1) % 5;
    return model.forward(f.tape, {{1, 10}, tokens}).value()[9 * 5];
  };
  const std::vector<TokenId> tokens = {0, 1, 2, 3, 4, 0, 1, 2, 3, 4};
  const double as_it_is = model.forward(f.tape, {{1, 10}, tokens}).value()[9 * 5];
  for (std::size_t t = 0; t < 2; ++t) EXPECT_EQ(last_logit(tokens, t), as_it_is) << t;
  for (std::size_t t = 2; t < 10; ++t) EXPECT_NE(last_logit(tokens, t), as_it_is) << t;
}

TEST(ConvModel, RefusesWhatCannotBe) {
  testing::LayerFixture f;
  ConvModelConfig c = conv_model_config();
  c.layers = 100;
  testing::expect_error<ValueError>([&] { ConvModel<double>(f.root, c); },
                                    "100 layers of 2 taps, each 2 times as far apart");
  testing::LayerFixture g;
  c.layers = 0;
  testing::expect_error<ValueError>([&] { ConvModel<double>(g.root, c); }, "conv model: 0 layers");
}

TEST(ConvModel, HasNoAttentionToMask) {
  testing::LayerFixture f;
  const ConvModel<double> model(f.root, conv_model_config());
  testing::expect_error<ValueError>(
      [&] {
        model.forward(f.tape, {{1, 2}, {3, 4}}, Mask::key_lengths({1}));
      },
      "conv model: a mask was given, but there is no attention");
}

}  // namespace
}  // namespace tapehead
