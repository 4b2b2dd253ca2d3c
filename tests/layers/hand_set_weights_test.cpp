// Small transformers whose weights are set by hand, so that what they compute is known exactly.

#include <algorithm>
#include <cmath>
#include <vector>

#include "layers/transformer.h"
#include "tests/layers/layer_fixture.h"

namespace tapehead {
namespace {

using testing::LayerFixture;

// A score that leaves the others a weight of exp(-kSharp) = 0.
constexpr double kSharp = 1e4;

// A model without bias in its norms, all of whose other weights are zero until they are set.
struct HandSetModel {
  LayerFixture f;
  Transformer<double> model;

  explicit HandSetModel(const TransformerConfig& config) : model(f.root, config) {
    for (const auto& p : f.store.parameters()) {
      if (p.name().find("norm") == std::string::npos) p.value().fill(0);
    }
  }

  // One number of a parameter; a vector has the column 0 of each row.
  void put(const std::string& name, Index row, Index column, double number) {
    Tensor<double> value = f.store.find(name).value();
    value[value.rank() == 2 ? row * value.dim(1) + column : row] = number;
  }
  // The same number at (first_row + i, first_column + i), i < n.
  void put_identity(const std::string& name, Index first_row, Index first_column, Index n,
                    double number) {
    for (Index i = 0; i < n; ++i) put(name, first_row + i, first_column + i, number);
  }

  std::vector<TokenId> predictions(const std::vector<TokenId>& tokens) {
    f.tape.clear();
    const TokenTensor input({1, static_cast<Index>(tokens.size())}, tokens);
    const auto logits = model.forward(f.tape, input).value();
    const Index words = logits.dim(2);
    std::vector<TokenId> result;
    for (Index t = 0; t < logits.dim(1); ++t) {
      const double* row = logits.data() + t * words;
      result.push_back(static_cast<TokenId>(std::max_element(row, row + words) - row));
    }
    return result;
  }
};

TransformerConfig hand_set_config(Index words, Index length, Index layers, Index width) {
  TransformerConfig c;
  c.vocabulary = words;
  c.length = length;
  c.layers = layers;
  c.block.d_model = width;
  c.block.d_ff = 1;
  c.block.norm_kind = NormKind::kRms;
  return c;
}

TEST(HandSetWeights, SolveFirst) {
  // FIRST (Chiang & Cholak 2022): what was the first symbol? Width: the symbol in two
  // places, "I am first" in one, the answer in two. The only head asks for "I am first".
  constexpr Index kLength = 8, kFirst = 2, kAnswer = 3;
  HandSetModel m(hand_set_config(2, kLength, 1, 5));
  m.put_identity("token.weight", 0, 0, 2, 1);
  m.put("position.weight", 0, kFirst, 1);
  m.put("blocks.0.attention.fc_q.bias", 0, 0, kSharp);
  m.put("blocks.0.attention.fc_k.weight", 0, kFirst, 1);
  m.put_identity("blocks.0.attention.fc_v.weight", 0, 0, 2, 1);
  m.put_identity("blocks.0.attention.fc_o.weight", kAnswer, 0, 2, 1);
  m.put_identity("head.weight", 0, kAnswer, 2, 1);
  for (TokenId bits = 0; bits < 1 << kLength; ++bits) {  // every string, at each of its prefixes
    std::vector<TokenId> symbols;
    for (TokenId t = 0; t < kLength; ++t) symbols.push_back(bits >> t & 1);
    EXPECT_EQ(m.predictions(symbols), std::vector<TokenId>(kLength, symbols[0])) << bits;
  }
}

TEST(HandSetWeights, LogLengthScaleKeepsTheFirstSymbolInSight) {
  // The same head with a score of s for the first symbol and 0 for the others: its weight is e^s /
  // (e^s + n - 1), which falls to 0 with the length n; scaled by log n it is n^s / (n^s + n - 1),
  // which rises to 1 if s > 1 (Chiang & Cholak 2022).
  for (const bool log_length : {false, true}) {
    for (const Index n : {2, 10, 1000}) {
      LayerFixture f;
      AttentionConfig c = AttentionConfig::self_attention(1, 1);
      c.scale.kind = log_length ? AttentionScale::Kind::kLogLength : AttentionScale::Kind::kInvSqrt;
      const MultiHeadAttention<double> layer(f.root, c);
      for (const auto& p : f.store.parameters()) p.value().fill(0);
      f.set("fc_q.bias", {{1}, {2.0}});  // s
      f.set("fc_k.weight", {{1, 1}, {1}});
      Tensor<double> x({1, n, 1});
      x[0] = 1;
      const auto in = f.tape.leaf(x);
      const double length = static_cast<double>(n);
      const double odds = log_length ? std::pow(length, 2.0) : std::exp(2.0);
      EXPECT_NEAR(layer.forward_with_weights(in, in, in).weights.value()[0],
                  odds / (odds + length - 1), 1e-12);
    }
  }
}

TEST(HandSetWeights, MakeAnInductionHead) {
  // ... A B ... A -> B (Olsson et al. 2022). Layer 1: position i asks for position i - 1 and notes
  // its token ("who was before me"). Layer 2: the token asks who has it before himself, and copies
  // that one's token. Width: token, position, who was before, answer.
  constexpr Index kWords = 6, kLength = 7;
  constexpr Index kPosition = kWords, kBefore = kPosition + kLength, kAnswer = kBefore + kWords;
  HandSetModel m(hand_set_config(kWords, kLength, 2, kAnswer + kWords));
  m.put_identity("token.weight", 0, 0, kWords, 1);
  m.put_identity("position.weight", 0, kPosition, kLength, 1);
  m.put_identity("blocks.0.attention.fc_q.weight", 0, kPosition + 1, kLength - 1, kSharp);
  m.put_identity("blocks.0.attention.fc_k.weight", 0, kPosition, kLength, 1);
  m.put_identity("blocks.0.attention.fc_v.weight", 0, 0, kWords, 1);
  m.put_identity("blocks.0.attention.fc_o.weight", kBefore, 0, kWords, 1);
  m.put_identity("blocks.1.attention.fc_q.weight", 0, 0, kWords, kSharp);
  m.put_identity("blocks.1.attention.fc_k.weight", 0, kBefore, kWords, 1);
  m.put_identity("blocks.1.attention.fc_v.weight", 0, 0, kWords, 1);
  m.put_identity("blocks.1.attention.fc_o.weight", kAnswer, 0, kWords, 1);
  m.put_identity("head.weight", 0, kAnswer, kWords, 1);
  // 0 begins; 1 .. 5 follow in every order; then one of the first four comes again, and what
  // followed it must be the answer.
  std::vector<TokenId> order = {1, 2, 3, 4, 5};
  do {
    for (std::size_t again = 0; again < 4; ++again) {
      std::vector<TokenId> tokens = {0};
      tokens.insert(tokens.end(), order.begin(), order.end());
      tokens.push_back(order[again]);
      EXPECT_EQ(m.predictions(tokens).back(), order[again + 1]);
    }
  } while (std::next_permutation(order.begin(), order.end()));
}

}  // namespace
}  // namespace tapehead
