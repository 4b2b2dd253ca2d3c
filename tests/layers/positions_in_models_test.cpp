// What holds for a model with each kind of positions.

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "layers/encoder_decoder.h"
#include "layers/transformer.h"
#include "tests/layers/layer_fixture.h"

namespace tapehead {
namespace {

using testing::expect_near;
using testing::LayerFixture;

constexpr Index kModelWords = 7;

constexpr PositionKind kAllPositions[] = {PositionKind::kLearned, PositionKind::kSinusoidal,
                                          PositionKind::kFloater, PositionKind::kRecurrent,
                                          PositionKind::kRope,    PositionKind::kRopeHalves,
                                          PositionKind::kAlibi,   PositionKind::kHardAlibi,
                                          PositionKind::kT5,      PositionKind::kNone};

bool is_rotary(PositionKind kind) {
  return kind == PositionKind::kRope || kind == PositionKind::kRopeHalves;
}

TransformerConfig model_with(PositionKind position, Index length = 6) {
  TransformerConfig c;
  c.vocabulary = kModelWords;
  c.length = length;
  c.layers = 2;
  c.position = position;
  c.block.d_model = 16;
  c.block.heads = 4;
  c.block.d_ff = 16;
  return c;
}

Tensor<double> logits_of(const TransformerConfig& config, const std::vector<TokenId>& tokens) {
  LayerFixture f;
  const Transformer<double> model(f.root, config);
  return model.forward(f.tape, TokenTensor({1, static_cast<Index>(tokens.size())}, tokens)).value();
}

// The logits of `tokens`, given to a cache in pieces of those sizes.
Tensor<double> logits_in_pieces(const SequenceModel<double>& model, Tape<double>& tape,
                                const std::vector<TokenId>& tokens, const std::vector<Index>& sizes,
                                DecodingState<double>& cache) {
  Tensor<double> all({1, static_cast<Index>(tokens.size()), kModelWords});
  for (const Index n : sizes) {
    const Index first = cache.length();
    const auto piece =
        std::span(tokens).subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(n));
    const Var<double> y = model.forward_cached(tape, TokenTensor({1, n}, piece), cache);
    std::ranges::copy(y.value().values(), all.data() + first * kModelWords);
  }
  return all;
}

// Every kind of attention that goes with a kind of positions.
std::vector<BlockConfig> attentions_for(PositionKind position, const BlockConfig& block) {
  std::vector<BlockConfig> all(5, block);
  all[1].kv_heads = 1;
  all[1].scale.kind = AttentionScale::Kind::kLogLength;
  all[2].attention.qk_norm = true;
  all[2].attention.soft_cap = 2;
  all[3].attention.share = SharedProjections::kQKV;
  all[3].attention.sigma_reparam = true;
  all[4].attention.scores = AttentionScores::kAdditive;
  all[4].kv_heads = 2;
  if (is_rotary(position)) all.pop_back();
  return all;
}

TEST(PositionsInModels, ACachedDecoderEqualsTheWholePass) {
  const std::vector<TokenId> tokens = {1, 2, 6, 4, 0, 5};
  for (const PositionKind position : kAllPositions) {
    TransformerConfig c = model_with(position);
    for (const BlockConfig& block : attentions_for(position, c.block)) {
      c.block = block;
      LayerFixture f;
      const Transformer<double> model(f.root, c);
      const auto whole = model.forward(f.tape, TokenTensor({1, 6}, tokens)).value();
      const auto cache = model.start(f.tape, 6);
      for (const std::vector<Index>& sizes :
           {std::vector<Index>{1, 1, 1, 1, 1, 1}, {4, 1, 1}, {2, 3, 1}, {6}}) {
        cache->clear();
        expect_near(logits_in_pieces(model, f.tape, tokens, sizes, *cache), whole, 1e-12);
      }
    }
  }
}

TEST(PositionsInModels, ACachedEncoderDecoderEqualsTheWholePass) {
  const std::vector<TokenId> tokens = {1, 2, 6, 4, 0, 5};
  const TokenTensor source({1, 4}, {3, 0, 5, 5});
  for (const PositionKind position : kAllPositions) {
    EncoderDecoderConfig c;
    c.vocabulary = kModelWords;
    c.source_length = 4;
    c.trunk = model_with(position);
    for (const BlockConfig& block : attentions_for(position, c.trunk.block)) {
      c.trunk.block = block;
      LayerFixture f;
      const EncoderDecoder<double> model(f.root, c);
      const auto whole =
          model.head(model.hidden(f.tape, {.tokens = {{1, 6}, tokens}, .sources = source})).value();
      const auto cache = model.start(f.tape, 6, source);
      for (const std::vector<Index>& sizes :
           {std::vector<Index>{1, 1, 1, 1, 1, 1}, {4, 1, 1}, {6}}) {
        cache->clear();
        expect_near(logits_in_pieces(model, f.tape, tokens, sizes, *cache), whole, 1e-12);
      }
    }
  }
}

TEST(PositionsInModels, OnlyWithoutPositionsAnEncoderCannotTellAnOrder) {
  const std::vector<TokenId> straight = {1, 2, 3, 4, 5, 6}, shuffled = {3, 6, 1, 5, 2, 4};
  const Index from[] = {2, 4, 0, 5, 3, 1};  // where each of the first is in the second
  for (const PositionKind position : kAllPositions) {
    TransformerConfig c = model_with(position);
    c.causal = false;
    const auto a = logits_of(c, straight), b = logits_of(c, shuffled);
    double largest = 0;
    for (Index t = 0; t < 6; ++t) {
      for (Index v = 0; v < kModelWords; ++v) {
        largest =
            std::max(largest, std::abs(a[t * kModelWords + v] - b[from[t] * kModelWords + v]));
      }
    }
    if (position == PositionKind::kNone) {
      EXPECT_LT(largest, 1e-13);  // to rounding: sums over keys run in another order
    } else {
      EXPECT_GT(largest, 1e-3) << static_cast<int>(position);
    }
  }
}

TEST(PositionsInModels, AllButLearnedOnesWorkPastTheTrainingLength) {
  std::vector<TokenId> tokens(40);
  for (std::size_t i = 0; i < tokens.size(); ++i)
    tokens[i] = static_cast<TokenId>(i * i % kModelWords);
  for (const PositionKind position : kAllPositions) {
    const TransformerConfig c = model_with(position);
    if (position == PositionKind::kLearned) {
      testing::expect_error<ShapeError>([&] { logits_of(c, tokens); }, "length 40, .*ends at 6");
      continue;
    }
    // A model for 64 positions, of the same initial weights, computes the same: nothing ends at 6.
    const auto y = logits_of(c, tokens);
    expect_near(logits_of(model_with(position, 64), tokens), y, 1e-13);
    const auto shorter = logits_of(c, std::vector<TokenId>(tokens.begin(), tokens.begin() + 6));
    expect_near(y.view(0, shorter.shape()), shorter, 1e-12);
  }
}

TEST(PositionsInModels, ADecodersTokenChangesNothingBeforeIt) {
  for (const PositionKind position : kAllPositions) {
    TransformerConfig c = model_with(position);
    for (const BlockConfig& block : attentions_for(position, c.block)) {
      c.block = block;
      const auto before = logits_of(c, {1, 2, 3, 4, 5, 6});
      const auto after = logits_of(c, {1, 2, 3, 0, 5, 6});
      for (Index i = 0; i < 3 * kModelWords; ++i) EXPECT_EQ(after[i], before[i]);
      EXPECT_NE(after[3 * kModelWords], before[3 * kModelWords]);
    }
  }
}

TEST(PositionsInModels, CollectingMapsChangesNoBit) {
  for (const PositionKind position : kAllPositions) {
    TransformerConfig c = model_with(position);
    for (const BlockConfig& block : attentions_for(position, c.block)) {
      c.block = block;
      LayerFixture f;
      const Transformer<double> model(f.root, c);
      const TokenTensor tokens({1, 4}, {1, 2, 3, 4});
      ModelTrace<double> trace;
      const auto with = model.forward(f.tape, tokens, {}, &trace);
      testing::expect_bits_equal(with.value(), model.forward(f.tape, tokens).value());
      EXPECT_EQ(trace.attention.back().weights.shape(), (Shape{1, 4, 4, 4}));
    }
  }
}

TEST(PositionsInModels, NoInfinityArises) {
  for (const PositionKind position : kAllPositions) {
    TransformerConfig c = model_with(position);
    for (const BlockConfig& block : attentions_for(position, c.block)) {
      c.block = block;
      LayerFixture f;
      f.tape.context().check_finite = true;
      const Transformer<double> model(f.root, c);
      const auto y = model.forward(f.tape, {{1, 4}, {1, 2, 3, 4}});
      EXPECT_NO_THROW(f.tape.backward(y, randn(y.shape(), 1)));
    }
  }
}

TEST(PositionsInModels, AT5TableIsSharedByTheLayers) {
  LayerFixture f;
  const Transformer<double> model(f.root, model_with(PositionKind::kT5));
  Index tables = 0;
  for (const auto& p : f.store.parameters()) tables += p.shape() == Shape{kT5Buckets, 4} ? 1 : 0;
  EXPECT_EQ(tables, 1);
}

}  // namespace
}  // namespace tapehead
