#include "train/beam_search.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "layers/encoder_decoder.h"
#include "layers/transformer.h"
#include "tests/support/expect.h"

namespace tapehead {
namespace {

constexpr Index kTokens = 4;  // the first of them ends a sequence
constexpr Index kLongest = 4;

TransformerConfig tiny_writer(bool causal = true) {
  TransformerConfig c;
  c.causal = causal;
  c.vocabulary = kTokens;
  c.length = 5;
  c.block.d_model = 8;
  c.block.heads = 2;
  c.block.d_ff = 16;
  return c;
}

GenerateOptions until_the_end() {
  GenerateOptions o;
  o.tokens = kLongest;
  o.temperature = 0;
  o.stop_at = 0;
  return o;
}

// The log-probability that the model writes `answer` and then ends, by the whole forward pass.
double log_probability(const SequenceModel<float>& net, const std::vector<TokenId>& prompt,
                       std::vector<TokenId> answer, const std::vector<TokenId>& source) {
  answer.push_back(0);
  std::vector<TokenId> all = prompt;
  all.insert(all.end(), answer.begin(), answer.end() - 1);
  Tape<float> tape(Tape<float>::Mode::kInference);
  SequenceInput<float> input;
  input.tokens = TokenTensor({1, static_cast<Index>(all.size())}, all);
  if (!source.empty()) {
    input.sources = TokenTensor({1, static_cast<Index>(source.size())}, source);
  }
  const Var<float> logits = net.head(net.hidden(tape, input));
  double sum = 0;
  for (std::size_t i = 0; i < answer.size(); ++i) {
    const float* x = logits.value().data() + static_cast<Index>(prompt.size() - 1 + i) * kTokens;
    double total = 0;
    for (Index t = 0; t < kTokens; ++t) total += std::exp(static_cast<double>(x[t]));
    sum += static_cast<double>(x[answer[i]]) - std::log(total);
  }
  return sum;
}

// Every sequence without the end, shorter than the longest.
std::vector<std::vector<TokenId>> all_answers() {
  std::vector<std::vector<TokenId>> answers = {{}};
  for (std::size_t i = 0; i < answers.size(); ++i) {
    if (static_cast<Index>(answers[i].size()) + 1 == kLongest) continue;
    for (TokenId t = 1; t < kTokens; ++t) {
      std::vector<TokenId> longer = answers[i];
      longer.push_back(t);
      answers.push_back(longer);
    }
  }
  return answers;
}

std::vector<TokenId> likeliest(const SequenceModel<float>& net, const std::vector<TokenId>& prompt,
                               const std::vector<TokenId>& source = {}) {
  return std::ranges::max(all_answers(), {}, [&](const std::vector<TokenId>& answer) {
    return log_probability(net, prompt, answer, source);
  });
}

// With a beam for every sequence, the search leaves nothing out.
TEST(BeamSearch, FindsTheLikeliestOfAllSequences) {
  constexpr Index kAll = 200;
  int others_than_greedy = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    ParameterStore<float> store;
    const Transformer<float> net(Builder<float>(store, seed), tiny_writer());
    const std::vector<TokenId> prompt = {1, 3};
    const auto expected = likeliest(net, prompt);
    EXPECT_EQ(beam_search(net, prompt, 5, until_the_end(), kAll, 1), expected) << seed;
    others_than_greedy += generate(net, prompt, 5, until_the_end(), 1) == expected ? 0 : 1;
  }
  EXPECT_GT(others_than_greedy, 0);
}

TEST(BeamSearch, LooksAtTheSourceOfAnEncoderDecoder) {
  ParameterStore<float> store;
  EncoderDecoderConfig c;
  c.vocabulary = kTokens;
  c.source_length = 3;
  c.trunk = tiny_writer();
  const EncoderDecoder<float> net(Builder<float>(store, 5), c);
  for (const std::vector<TokenId>& source :
       {std::vector<TokenId>{1, 2, 3}, {3, 3}, {2, 1}, {0, 2, 2}}) {
    GenerateOptions o = until_the_end();
    o.source = source;
    EXPECT_EQ(beam_search(net, {1}, 5, o, 200, 1), likeliest(net, {1}, source));
  }
}

TEST(BeamSearch, OneBeamIsGreedy) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    ParameterStore<float> store;
    const Transformer<float> net(Builder<float>(store, seed), tiny_writer());
    EXPECT_EQ(beam_search(net, {2}, 5, until_the_end(), 1, 1),
              generate(net, {2}, 5, until_the_end(), 1))
        << seed;
  }
}

TEST(BeamSearch, RefusesWhatItCannotDo) {
  ParameterStore<float> store, other;
  const Transformer<float> net(Builder<float>(store, 1), tiny_writer());
  const Transformer<float> encoder(Builder<float>(other, 1), tiny_writer(false));
  using testing::expect_error;
  expect_error<ValueError>([&] { beam_search(encoder, {1}, 5, until_the_end(), 2, 1); },
                           "an encoder sees the future");
  expect_error<ValueError>([&] { beam_search(net, {}, 5, until_the_end(), 2, 1); }, "is empty");
  expect_error<ValueError>([&] { beam_search(net, {1}, 5, until_the_end(), 0, 1); }, "0 beams");
  expect_error<ValueError>(
      [&] {
        beam_search(net, {1, 2, 3}, 5, until_the_end(), 2, 1);
      },
      "a prompt of 3 tokens and 4 more do not fit .*context of 5");
}

}  // namespace
}  // namespace tapehead
