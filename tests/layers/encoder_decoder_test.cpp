#include "layers/encoder_decoder.h"

#include <algorithm>

#include "tests/layers/layer_fixture.h"

namespace tapehead {
namespace {

using testing::LayerFixture;

EncoderDecoderConfig translator() {
  EncoderDecoderConfig c;
  c.vocabulary = 7;
  c.source_vocabulary = 5;
  c.source_length = 4;
  c.trunk.length = 6;
  c.trunk.layers = 2;
  c.trunk.block.d_model = 8;
  c.trunk.block.heads = 2;
  c.trunk.block.d_ff = 16;
  return c;
}

Tensor<double> logits_of(const EncoderDecoder<double>& model, Tape<double>& tape,
                         const TokenTensor& tokens, const TokenTensor& sources) {
  return model.head(model.hidden(tape, {.tokens = tokens, .sources = sources})).value();
}

TEST(EncoderDecoder, EveryOutputDependsOnEverySourceToken) {
  LayerFixture f;
  const EncoderDecoder<double> model(f.root, translator());
  const TokenTensor tokens({1, 3}, {1, 2, 3});
  const auto y = logits_of(model, f.tape, tokens, {{1, 3}, {0, 1, 2}});
  for (Index changed = 0; changed < 3; ++changed) {
    TokenTensor sources({1, 3}, {0, 1, 2});
    sources[changed] = 4;
    const auto z = logits_of(model, f.tape, tokens, sources);
    for (Index t = 0; t < 3; ++t) EXPECT_NE(z[t * 7], y[t * 7]) << t;
  }
}

// A padded row gives the bits that it gives alone, whatever stands beside it.
TEST(EncoderDecoder, PaddingIsSeenByNobody) {
  LayerFixture f;
  const EncoderDecoder<double> model(f.root, translator());
  const TokenTensor both({2, 4}, {1, 2, kPadToken, kPadToken, 3, 0, 4, 1});
  const auto y = logits_of(model, f.tape, {{2, 3}, {1, 2, 3, 4, 5, 6}}, both);
  const auto alone = logits_of(model, f.tape, {{1, 3}, {1, 2, 3}}, {{1, 2}, {1, 2}});
  // Products of fewer rows add up in another order.
  testing::expect_near(y.view(0, {1, 3, 7}), alone, 1e-13);
  testing::expect_error<ValueError>(
      [&] {
        logits_of(model, f.tape, {{1, 1}, {1}}, {{1, 3}, {1, kPadToken, 2}});
      },
      "source 0 has padding at 1 and tokens after it");
}

TEST(EncoderDecoder, TracesTheAttentionOfBothSides) {
  LayerFixture f;
  const EncoderDecoder<double> model(f.root, translator());
  const SequenceInput<double> input{.tokens = {{1, 3}, {1, 2, 3}},
                                    .sources = {{1, 4}, {1, 2, 3, 4}}};
  ModelTrace<double> trace;
  const auto with = model.hidden(f.tape, input, {}, &trace);
  testing::expect_bits_equal(with.value(), model.hidden(f.tape, input).value());
  std::vector<std::string> layers;
  std::vector<AttentionKind> kinds;
  for (const auto& attention : trace.attention) {
    layers.push_back(attention.layer);
    kinds.push_back(attention.kind);
  }
  using enum AttentionKind;
  EXPECT_THAT(kinds, ::testing::ElementsAre(kSource, kSource, kSelf, kCross, kSelf, kCross));
  EXPECT_THAT(layers, ::testing::ElementsAre(
                          "encoder.blocks.0.attention", "encoder.blocks.1.attention",
                          "decoder.blocks.0.attention", "decoder.blocks.0.cross_attention",
                          "decoder.blocks.1.attention", "decoder.blocks.1.cross_attention"));
  EXPECT_EQ(trace.attention[3].weights.shape(), (Shape{1, 2, 3, 4}));
  EXPECT_EQ(trace.embedded.shape(), (Shape{1, 3, 8}));
  EXPECT_EQ(trace.embedded_source.shape(), (Shape{1, 4, 8}));
}

TEST(EncoderDecoder, SharesATokenTableWhereVocabulariesAreOne) {
  LayerFixture f, g;
  EncoderDecoderConfig c = translator();
  const EncoderDecoder<double> own(f.root, c);
  c.source_vocabulary = 0;
  const EncoderDecoder<double> shared(g.root, c);
  EXPECT_EQ(f.value("encoder.token.weight").shape(), (Shape{5, 8}));
  EXPECT_FALSE(g.store.contains("encoder.token.weight"));
  EXPECT_EQ(f.store.parameter_count() - g.store.parameter_count(), 5 * 8);
}

TEST(EncoderDecoder, RefusesWhatCannotBe) {
  LayerFixture f;
  const EncoderDecoder<double> model(f.root, translator());
  testing::expect_error<ShapeError>(
      [&] {
        model.forward(f.tape, {{1, 1}, {1}});
      },
      "reads a source, but none was given");
  testing::expect_error<ShapeError>(
      [&] {
        logits_of(model, f.tape, {{2, 1}, {1, 1}}, {{1, 2}, {1, 2}});
      },
      "1 sources and 2 targets");
  testing::expect_error<ShapeError>(
      [&] {
        model.start(f.tape, 3, {{2, 1}, {1, 1}});
      },
      "shape .2, 1.; decoding needs one");
  testing::expect_error<ShapeError>([&] { model.start(f.tape, 3); }, "none was given");
}

}  // namespace
}  // namespace tapehead
