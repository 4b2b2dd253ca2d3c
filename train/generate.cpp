#include "train/generate.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "base/denormals.h"
#include "base/error.h"

namespace tapehead {

namespace {

// The stream of a seed's random numbers that generated tokens are drawn from.
constexpr std::uint32_t kGenerateStream = 3;

// Positions of the k largest logits, largest first; of equals, the first.
std::vector<TokenId> ranked(std::span<const float> logits, Index k) {
  std::vector<TokenId> order(logits.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](TokenId a, TokenId b) {
    return logits[static_cast<std::size_t>(a)] > logits[static_cast<std::size_t>(b)];
  });
  if (k > 0 && static_cast<std::size_t>(k) < order.size())
    order.resize(static_cast<std::size_t>(k));
  return order;
}

}  // namespace

TokenId choose_token(std::span<const float> logits, const GenerateOptions& options,
                     Random& random) {
  if (!(options.temperature >= 0) || !std::isfinite(options.temperature)) {
    throw ValueError(
        fmt::format("generate: temperature {} must be 0 (take the most likely token) "
                    "or a positive number",
                    options.temperature));
  }
  if (options.top_k < 0) {
    throw ValueError(
        fmt::format("generate: top_k {} must be 0 (all tokens) or positive", options.top_k));
  }
  if (options.temperature == 0) {
    return static_cast<TokenId>(std::max_element(logits.begin(), logits.end()) - logits.begin());
  }
  const std::vector<TokenId> order = ranked(logits, options.top_k);
  const auto logit = [&](TokenId t) {
    return static_cast<double>(logits[static_cast<std::size_t>(t)]);
  };
  std::vector<double> cumulative;
  double sum = 0;
  for (const TokenId t : order) {
    sum += std::exp((logit(t) - logit(order.front())) / options.temperature);
    cumulative.push_back(sum);
  }
  const auto chosen =
      std::upper_bound(cumulative.begin(), cumulative.end() - 1, random.uniform() * sum);
  return order[static_cast<std::size_t>(chosen - cumulative.begin())];
}

void check_generates(const SequenceModel<float>& net, const std::vector<TokenId>& prompt) {
  if (!net.is_causal()) {
    throw ValueError(
        "generate: an encoder sees the future and cannot continue a text; train a "
        "model of another kind");
  }
  if (prompt.empty()) throw ValueError("generate: the prompt is empty; give at least one token");
}

std::unique_ptr<DecodingState<float>> start_decoding(const SequenceModel<float>& net,
                                                     Tape<float>& tape, Index context,
                                                     const GenerateOptions& options) {
  if (options.source.empty()) return net.start(tape, context);
  const auto length = static_cast<Index>(options.source.size());
  return net.start(tape, context, TokenTensor({1, length}, std::span(options.source)));
}

std::vector<TokenId> generate(const SequenceModel<float>& net, const std::vector<TokenId>& prompt,
                              Index context, const GenerateOptions& options, int threads,
                              const std::function<void(TokenId)>& on_token) {
  check_generates(net, prompt);
  const FlushDenormals flush;
  Random random(options.seed, kGenerateStream);
  Tape<float> tape(Tape<float>::Mode::kInference);
  tape.context().threads = std::max(threads, 1);
  const auto state = start_decoding(net, tape, context, options);
  std::vector<TokenId> all = prompt;
  std::vector<TokenId> generated;
  Index unseen = std::min(static_cast<Index>(all.size()), state->capacity());
  for (Index i = 0; i < options.tokens; ++i) {
    const TokenTensor fresh({1, unseen}, std::span(all).last(static_cast<std::size_t>(unseen)));
    const Var<float> logits = net.forward_cached(tape, fresh, *state);
    const Index v = logits.shape().row_length();
    const auto last = logits.value().values().last(static_cast<std::size_t>(v));
    const TokenId token = choose_token(last, options, random);
    if (options.stop_at == token) break;
    all.push_back(token);
    generated.push_back(token);
    if (on_token) on_token(token);
    // A full window moves on with every token, so that each of its tokens has a new position and
    // another past: all of it is computed again.
    const bool full = state->length() == state->capacity();
    if (full) state->clear();
    unseen = full ? state->capacity() : 1;
  }
  return generated;
}

}  // namespace tapehead
