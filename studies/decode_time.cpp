#include "studies/decode_time.h"

#include <vector>

#include <fmt/format.h>

#include "base/denormals.h"
#include "base/error.h"
#include "base/random.h"
#include "studies/cpu_time.h"
#include "train/build_model.h"

namespace tapehead {

namespace {

constexpr Index kDecodedSymbols = 64;
constexpr Index kWarmUpTokens = 4, kTimedTokens = 33, kShortestContext = 64;

TokenTensor random_tokens(Random& random, Index n) {
  TokenTensor tokens({1, n});
  for (TokenId& t : tokens.values()) t = static_cast<TokenId>(random.below(kDecodedSymbols));
  return tokens;
}

}  // namespace

double decode_ms_per_token(const ModelConfig& model, Index context, std::uint64_t seed) {
  if (context < kShortestContext) {
    throw ValueError(fmt::format("decode time: a context of {} tokens; it must have at least {}",
                                 context, kShortestContext));
  }
  Config config;
  config.model = model;
  config.train.seed = static_cast<Index>(seed);
  const auto built = build_model(config, {.vocabulary = kDecodedSymbols, .length = context});
  const FlushDenormals flush;
  Random random(seed);
  Tape<float> tape(Tape<float>::Mode::kInference);
  const auto state = built->net->start(tape, context);
  const Index filled = context - kWarmUpTokens - kTimedTokens;
  built->net->hidden_cached(tape, {.tokens = random_tokens(random, filled)}, *state);
  std::vector<double> milliseconds;
  for (Index i = filled; i < context; ++i) {
    const TokenTensor token = random_tokens(random, 1);
    const double before = thread_cpu_ms();
    built->net->forward_cached(tape, token, *state);
    const double taken = thread_cpu_ms() - before;
    if (i >= filled + kWarmUpTokens) milliseconds.push_back(taken);
  }
  return median_of(std::move(milliseconds));
}

}  // namespace tapehead
