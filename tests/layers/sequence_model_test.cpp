#include "layers/sequence_model.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "layers/conv_model.h"
#include "layers/encoder_decoder.h"
#include "layers/recurrent_model.h"
#include "layers/transformer.h"
#include "tests/layers/layer_fixture.h"

namespace tapehead {
namespace {

using testing::LayerFixture;

constexpr Index kWords = 7;
constexpr Index kWidth = 8;

using AnyModel = std::unique_ptr<SequenceModel<double>>;
using At = Builder<double>;

AnyModel make_transformer(const At& at, const ModelEnds& ends) {
  TransformerConfig c;
  static_cast<ModelEnds&>(c) = ends;
  c.length = 6;
  c.layers = 2;
  c.block.d_model = kWidth;
  c.block.heads = 2;
  c.block.d_ff = 16;
  return std::make_unique<Transformer<double>>(at, c);
}

AnyModel make_recurrent(CellKind cell, const At& at, const ModelEnds& ends) {
  RecurrentModelConfig c;
  static_cast<ModelEnds&>(c) = ends;
  c.cell = cell;
  c.d_model = kWidth;
  c.layers = 2;
  return std::make_unique<RecurrentModel<double>>(at, c);
}

AnyModel make_conv(bool pre_norm, const At& at, const ModelEnds& ends) {
  ConvModelConfig c;
  static_cast<ModelEnds&>(c) = ends;
  c.layers = 3;
  c.block.d_model = kWidth;
  c.block.d_ff = 12;
  c.block.kernel_size = 2;
  c.block.norm = pre_norm ? NormPlacement::kPre : NormPlacement::kPost;
  return std::make_unique<ConvModel<double>>(at, c);
}

AnyModel make_encoder_decoder(bool pre_norm, Index source_vocabulary, const At& at,
                              const ModelEnds& ends) {
  EncoderDecoderConfig c;
  static_cast<ModelEnds&>(c) = ends;
  c.source_vocabulary = source_vocabulary;
  c.source_length = 4;
  c.trunk.length = 6;
  c.trunk.layers = 2;
  c.trunk.block.d_model = kWidth;
  c.trunk.block.heads = 2;
  c.trunk.block.kv_heads = 1;
  c.trunk.block.d_ff = 16;
  c.trunk.block.norm = pre_norm ? NormPlacement::kPre : NormPlacement::kPost;
  return std::make_unique<EncoderDecoder<double>>(at, c);
}

struct Kind {
  const char* name;
  std::function<AnyModel(const At&, const ModelEnds&)> make;
  bool has_source = false;
};

void PrintTo(const Kind& kind, std::ostream* out) { *out << kind.name; }

std::vector<Kind> causal_kinds() {
  using std::placeholders::_1, std::placeholders::_2;
  return {{"decoder", make_transformer},
          {"rnn", std::bind(make_recurrent, CellKind::kRnn, _1, _2)},
          {"lstm", std::bind(make_recurrent, CellKind::kLstm, _1, _2)},
          {"gru", std::bind(make_recurrent, CellKind::kGru, _1, _2)},
          {"conv", std::bind(make_conv, true, _1, _2)},
          {"conv_post_norm", std::bind(make_conv, false, _1, _2)},
          {"encoder_decoder", std::bind(make_encoder_decoder, true, 5, _1, _2), true},
          {"encoder_decoder_shared_post_norm", std::bind(make_encoder_decoder, false, 0, _1, _2),
           true}};
}

class EveryCausalKind : public ::testing::TestWithParam<Kind> {
 protected:
  AnyModel make(const ModelEnds& ends = {.vocabulary = kWords}) {
    return GetParam().make(fixture_.root, ends);
  }
  SequenceInput<double> input(const std::vector<TokenId>& tokens) const {
    SequenceInput<double> in{.tokens = TokenTensor({1, static_cast<Index>(tokens.size())}, tokens)};
    if (GetParam().has_source) in.sources = sources_;
    return in;
  }
  Tensor<double> logits(const SequenceModel<double>& model, const std::vector<TokenId>& tokens) {
    return model.head(model.hidden(tape(), input(tokens))).value();
  }
  std::unique_ptr<DecodingState<double>> start(const SequenceModel<double>& model) {
    return model.start(tape(), 6, GetParam().has_source ? sources_ : TokenTensor());
  }
  // The logits of the next tokens.
  Tensor<double> next(const SequenceModel<double>& model, std::span<const TokenId> tokens,
                      DecodingState<double>& state) {
    return model.forward_cached(tape(), {{1, static_cast<Index>(tokens.size())}, tokens}, state)
        .value();
  }
  Tape<double>& tape() { return fixture_.tape; }

 private:
  LayerFixture fixture_;
  TokenTensor sources_{{1, 4}, {1, 4, 0, 2}};
};

TEST_P(EveryCausalKind, ATokenChangesNothingBeforeIt) {
  const auto model = make();
  const auto before = logits(*model, {1, 2, 3, 4, 5, 6});
  const auto after = logits(*model, {1, 2, 3, 0, 5, 6});
  for (Index i = 0; i < 3 * kWords; ++i) EXPECT_EQ(after[i], before[i]);
  for (Index t = 3; t < 6; ++t) EXPECT_NE(after[t * kWords], before[t * kWords]);
}

TEST_P(EveryCausalKind, DecodingInPiecesEqualsTheWholePass) {
  const auto model = make();
  const std::vector<TokenId> tokens = {1, 2, 6, 4, 0, 5};
  const auto whole = logits(*model, tokens);
  for (const std::vector<Index>& sizes :
       {std::vector<Index>{1, 1, 1, 1, 1, 1}, {4, 1, 1}, {2, 3, 1}, {6}}) {
    const auto state = start(*model);
    for (const Index n : sizes) {
      const Index first = state->length();
      const auto piece =
          std::span(tokens).subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(n));
      // Logits are of the order 1; a dozen sums in another order round differently.
      testing::expect_near(next(*model, piece, *state), whole.view(first * kWords, {1, n, kWords}),
                           1e-13);
    }
    EXPECT_EQ(state->length(), 6);
  }
}

TEST_P(EveryCausalKind, ACloneGoesItsOwnWayAndAClearedStateBeginsAnew) {
  const auto model = make();
  const std::vector<TokenId> begin = {1, 2}, left = {3, 4}, right = {5, 6};
  const auto state = start(*model);
  const auto first = next(*model, begin, *state);
  const auto other = state->clone();
  const auto expected = next(*model, left, *state->clone());
  next(*model, right, *other);
  testing::expect_bits_equal(next(*model, left, *state), expected);
  state->clear();
  EXPECT_EQ(state->length(), 0);
  testing::expect_bits_equal(next(*model, begin, *state), first);
}

TEST_P(EveryCausalKind, ReadsAndPredictsRealNumbers) {
  if (GetParam().has_source) return;  // which are tokens
  const auto model = make({.features = 3, .outputs = 2});
  const auto run = [&](const Tensor<double>& features) {
    return model->head(model->hidden(tape(), {.features = features})).value();
  };
  const Tensor<double> x = randn({2, 4, 3}, 1);
  const auto y = run(x);
  EXPECT_EQ(y.shape(), (Shape{2, 4, 2}));
  Tensor<double> changed = x.clone();
  changed[2 * 3] += 1;  // of the first row's third step
  const auto z = run(changed);
  for (Index i = 0; i < 2 * 2; ++i) EXPECT_EQ(z[i], y[i]);
  EXPECT_NE(z[2 * 2], y[2 * 2]);
  testing::expect_error<ShapeError>(
      [&] {
        model->forward(tape(), {{1, 2}, {0, 1}});
      },
      "reads real numbers, but no features");
}

TEST_P(EveryCausalKind, TiesItsEndsOnlyWhereBothAreTokens) {
  const auto model = make({.vocabulary = kWords, .tie_embeddings = true});
  EXPECT_EQ(logits(*model, {1, 2}).shape(), (Shape{1, 2, kWords}));
  LayerFixture other;
  testing::expect_error<ValueError>(
      [&] { GetParam().make(other.root, {.features = 3, .outputs = 2, .tie_embeddings = true}); },
      "3 features and 2 real outputs; tied embeddings need tokens");
}

TEST_P(EveryCausalKind, RefusesAStateOfAnotherKind) {
  const auto model = make();
  struct Foreign final : DecodingState<double> {
    Index length() const override { return 0; }
    void clear() override {}
    std::unique_ptr<DecodingState<double>> clone() const override { return nullptr; }
  } foreign;
  const std::vector<TokenId> tokens = {1};
  testing::expect_error<StateError>([&] { next(*model, tokens, foreign); },
                                    "another kind of model");
}

INSTANTIATE_TEST_SUITE_P(All, EveryCausalKind, ::testing::ValuesIn(causal_kinds()),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace tapehead
