#include "train/generate.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <vector>

#include "layers/recurrent_model.h"
#include "layers/transformer.h"
#include "tests/support/expect.h"

namespace tapehead {
namespace {

TEST(ChooseToken, TemperatureZeroTakesTheMostLikely) {
  Random random(1);
  const std::array<float, 4> logits{0.1F, 2.0F, 2.0F, -1.0F};
  GenerateOptions o;
  o.temperature = 0;
  EXPECT_EQ(choose_token(logits, o, random), 1);  // the first of equals
}

TEST(ChooseToken, FrequenciesFollowTheSoftmaxAtItsTemperature) {
  Random random(1);
  const std::array<float, 3> logits{0.0F, 1.0F, 2.0F};
  GenerateOptions o;
  o.temperature = 2.0;
  constexpr int kDraws = 20000;
  std::array<int, 3> count{};
  for (int i = 0; i < kDraws; ++i)
    ++count[static_cast<std::size_t>(choose_token(logits, o, random))];
  const double sum = 1 + std::exp(0.5) + std::exp(1.0);
  for (std::size_t t = 0; t < 3; ++t) {
    const double p = std::exp(static_cast<double>(t) / 2) / sum;
    EXPECT_NEAR(count[t], kDraws * p, 4 * std::sqrt(kDraws * p * (1 - p))) << t;
  }
}

TEST(ChooseToken, TopKLeavesOutTheRest) {
  Random random(1);
  const std::array<float, 4> logits{3.0F, 2.9F, 2.8F, 2.7F};
  GenerateOptions o;
  o.top_k = 2;
  for (int i = 0; i < 200; ++i) EXPECT_LT(choose_token(logits, o, random), 2);
}

TEST(ChooseToken, RefusesImpossibleOptions) {
  Random random(1);
  const std::array<float, 2> logits{0, 0};
  GenerateOptions cold;
  cold.temperature = -1;
  testing::expect_error<ValueError>([&] { choose_token(logits, cold, random); }, "temperature -1");
  GenerateOptions few;
  few.top_k = -3;
  testing::expect_error<ValueError>([&] { choose_token(logits, few, random); }, "top_k -3");
}

TEST(Generate, TakesTheMostLikelyTokenOfTheLastWindowAlsoBeyondIt) {
  ParameterStore<float> store;
  TransformerConfig c;
  c.vocabulary = 11;
  c.length = 5;
  c.block.d_model = 8;
  c.block.d_ff = 16;
  const Transformer<float> net(Builder<float>(store, 3), c);
  GenerateOptions o;
  o.tokens = 9;
  o.temperature = 0;
  const std::vector<TokenId> prompt = {1, 7, 2};
  std::vector<TokenId> all = prompt;
  Tape<float> tape(Tape<float>::Mode::kInference);
  for (Index i = 0; i < o.tokens; ++i) {
    const auto size = std::min<std::size_t>(all.size(), 5);
    const TokenTensor window({1, static_cast<Index>(size)}, std::span(all).last(size));
    const Var<float> logits = net.forward(tape, window);
    const auto last = logits.value().values().last(11);
    all.push_back(static_cast<TokenId>(std::ranges::max_element(last) - last.begin()));
  }
  const std::vector<TokenId> expected(all.begin() + 3, all.end());
  EXPECT_EQ(generate(net, prompt, 5, o, 1), expected);
}

// A recurrent network has no window: it remembers what is longer than the context.
TEST(Generate, ARecurrentNetworkReadsBeyondTheContext) {
  ParameterStore<float> store;
  RecurrentModelConfig c;
  c.vocabulary = 11;
  c.d_model = 8;
  const RecurrentModel<float> net(Builder<float>(store, 3), c);
  GenerateOptions o;
  o.tokens = 9;
  o.temperature = 0;
  std::vector<TokenId> all = {1, 7, 2, 5, 4, 3, 9};
  const std::vector<TokenId> prompt = all;
  Tape<float> tape(Tape<float>::Mode::kInference);
  for (Index i = 0; i < o.tokens; ++i) {
    const Var<float> logits = net.forward(tape, {{1, static_cast<Index>(all.size())}, all});
    const auto last = logits.value().values().last(11);
    all.push_back(static_cast<TokenId>(std::ranges::max_element(last) - last.begin()));
  }
  EXPECT_EQ(generate(net, prompt, 5, o, 1), std::vector<TokenId>(all.begin() + 7, all.end()));
}

}  // namespace
}  // namespace tapehead
