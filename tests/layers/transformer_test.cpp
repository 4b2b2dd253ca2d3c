#include "layers/transformer.h"

#include <algorithm>
#include <span>
#include <vector>

#include "tests/layers/layer_fixture.h"
#include "tests/support/expect.h"

namespace tapehead {
namespace {

using testing::expect_bits_equal;
using testing::expect_near;
using testing::LayerFixture;

TransformerConfig small_model() {
  TransformerConfig c;
  c.vocabulary = 7;
  c.length = 6;
  c.layers = 2;
  c.block.d_model = 8;
  c.block.heads = 2;
  c.block.d_ff = 16;
  return c;
}

Tensor<double> logits(const TransformerConfig& config, const TokenTensor& tokens) {
  LayerFixture f;
  const Transformer<double> model(f.root, config);
  return model.forward(f.tape, tokens).value();
}

TEST(Transformer, ADecodersTokenChangesNothingBeforeIt) {
  const TransformerConfig c = small_model();
  const auto before = logits(c, {{1, 6}, {1, 2, 3, 4, 5, 6}});
  const auto after = logits(c, {{1, 6}, {1, 2, 3, 0, 5, 6}});
  for (Index i = 0; i < 3 * 7; ++i) EXPECT_EQ(after[i], before[i]);
  EXPECT_NE(after[3 * 7], before[3 * 7]);
}

TEST(Transformer, WithoutPositionsAnEncoderCannotTellAnOrder) {
  TransformerConfig c = small_model();
  c.causal = false;
  const TokenTensor straight({1, 6}, {1, 2, 3, 4, 5, 6}), reversed({1, 6}, {6, 5, 4, 3, 2, 1});
  const auto turned_back = [](const Tensor<double>& y) {
    Tensor<double> result(y.shape());
    for (Index t = 0; t < 6; ++t) {
      std::copy_n(y.data() + t * 7, 7, result.data() + (5 - t) * 7);
    }
    return result;
  };
  c.position = PositionKind::kNone;
  // To rounding: sums over keys run in another order.
  expect_near(turned_back(logits(c, reversed)), logits(c, straight), 1e-13);
  for (const PositionKind position : {PositionKind::kLearned, PositionKind::kSinusoidal}) {
    c.position = position;
    const auto a = turned_back(logits(c, reversed)), b = logits(c, straight);
    EXPECT_GT(std::abs(a[0] - b[0]), 1e-3);
  }
}

TEST(Transformer, CollectingMapsChangesNoBit) {
  LayerFixture f;
  const Transformer<double> model(f.root, small_model());
  const TokenTensor tokens({2, 4}, {1, 2, 3, 4, 6, 5, 0, 1});
  ModelTrace<double> trace;
  const auto with = model.forward(f.tape, tokens, {}, &trace);
  expect_bits_equal(with.value(), model.forward(f.tape, tokens).value());
  ASSERT_EQ(trace.attention.size(), 2U);
  EXPECT_EQ(trace.attention[1].weights.shape(), (Shape{2, 2, 4, 4}));
}

// The logits of `tokens`, given to a cache in pieces of those sizes.
Tensor<double> in_pieces(const Transformer<double>& model, Tape<double>& tape,
                         const std::vector<TokenId>& tokens, const std::vector<Index>& sizes) {
  const auto state = model.start(tape, static_cast<Index>(tokens.size()));
  Tensor<double> all({1, static_cast<Index>(tokens.size()), model.config().vocabulary});
  for (const Index n : sizes) {
    const Index first = state->length();
    const auto piece =
        std::span(tokens).subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(n));
    const Var<double> y = model.forward_cached(tape, TokenTensor({1, n}, piece), *state);
    std::ranges::copy(y.value().values(), all.data() + first * model.config().vocabulary);
  }
  return all;
}

TEST(Transformer, ACachedDecoderEqualsTheWholePass) {
  const std::vector<TokenId> tokens = {1, 2, 6, 4, 0, 5};
  for (const auto position :
       {PositionKind::kLearned, PositionKind::kSinusoidal, PositionKind::kNone}) {
    for (const Index kv_heads : {1, 2, 4}) {
      for (const bool pre_norm : {true, false}) {
        TransformerConfig c = small_model();
        c.position = position;
        c.block.heads = 4;
        c.block.kv_heads = kv_heads;
        c.block.norm = pre_norm ? NormPlacement::kPre : NormPlacement::kPost;
        LayerFixture f;
        const Transformer<double> model(f.root, c);
        const auto whole = model.forward(f.tape, TokenTensor({1, 6}, tokens)).value();
        for (const std::vector<Index>& sizes :
             {std::vector<Index>{1, 1, 1, 1, 1, 1}, {4, 1, 1}, {2, 3, 1}, {6}}) {
          // Logits are of the order 1; a dozen sums in another order round differently.
          expect_near(in_pieces(model, f.tape, tokens, sizes), whole, 1e-13);
        }
      }
    }
  }
}

TEST(Transformer, ACacheRefusesWhatItCannotHold) {
  LayerFixture f;
  TransformerConfig c = small_model();
  const Transformer<double> model(f.root, c);
  const auto state = model.start(f.tape, 3);
  model.forward_cached(f.tape, {{1, 2}, {1, 2}}, *state);
  testing::expect_error<ShapeError>(
      [&] {
        model.forward_cached(f.tape, {{1, 2}, {3, 4}}, *state);
      },
      "kv cache: 2 positions after 2 do not fit into its 3");
  state->clear();
  testing::expect_error<ShapeError>(
      [&] {
        model.forward_cached(f.tape, {{2, 1}, {3, 4}}, *state);
      },
      "kv cache: k has shape .2, 1, 8., one sequence of this cache has shape .1, 1, 8.");
  c.causal = false;
  LayerFixture g;
  const Transformer<double> encoder(g.root, c);
  testing::expect_error<ValueError>(
      [&] {
        encoder.forward_cached(g.tape, {{1, 1}, {3}}, *state);
      },
      "an encoder sees the future");
}

TEST(Transformer, PaddingCanBeMasked) {
  LayerFixture f;
  TransformerConfig c = small_model();
  c.causal = false;
  const Transformer<double> model(f.root, c);
  const Mask padding = Mask::key_lengths({3});
  const auto a = model.forward(f.tape, {{1, 5}, {1, 2, 3, 0, 0}}, padding).value();
  const auto b = model.forward(f.tape, {{1, 5}, {1, 2, 3, 6, 4}}, padding).value();
  for (Index i = 0; i < 3 * 7; ++i) EXPECT_EQ(a[i], b[i]);
}

TEST(Transformer, CountsItsParameters) {
  // GPT-2's arithmetic: V d + T d + L (12 d^2 + 13 d) + 2 d, plus V d if the output is not tied.
  const Index v = 7, t = 6, l = 2, d = 8;
  const auto count = [](bool tied) {
    LayerFixture f;
    TransformerConfig c = small_model();
    c.block.d_ff = 4 * c.block.d_model;
    c.tie_embeddings = tied;
    const Transformer<double> model(f.root, c);
    return f.store.parameter_count();
  };
  EXPECT_EQ(count(true), v * d + t * d + l * (12 * d * d + 13 * d) + 2 * d);
  EXPECT_EQ(count(false), count(true) + v * d);
}

TEST(Transformer, PostNormHasNoFinalNorm) {
  LayerFixture f;
  TransformerConfig c = small_model();
  c.block.norm = NormPlacement::kPost;
  const Transformer<double> model(f.root, c);
  EXPECT_FALSE(f.store.contains("norm.weight"));
}

TEST(Transformer, RefusesWhatCannotBe) {
  LayerFixture f;
  TransformerConfig c = small_model();
  c.layers = 0;
  testing::expect_error<ValueError>([&] { Transformer<double>(f.root, c); }, "model: 0 layers");
  LayerFixture g;
  const Transformer<double> model(g.root, small_model());
  testing::expect_error<ShapeError>(
      [&] {
        model.forward(g.tape, TokenTensor({1, 9}));
      },
      "reaches length 9, but the table .* ends at 6");
  testing::expect_error<ValueError>([&] { model.forward(g.tape, {{1, 2}, {3, 7}}); }, "7");
}

}  // namespace
}  // namespace tapehead
