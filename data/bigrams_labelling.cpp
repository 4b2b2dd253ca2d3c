#include "data/bigrams_labelling.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "data/exercise.h"
#include "data/sequence_exercise.h"

namespace tapehead {
namespace {

// The chain is the same in every run.
constexpr std::uint64_t kChainSeed = 0;
constexpr std::uint32_t kChainStream = 0x64617403;

}  // namespace

BigramsLabelling::BigramsLabelling(Index length, Index symbols, Index triggers)
    : length_(length), symbols_(symbols), triggers_(triggers) {
  check_key("bigrams", "length", length, 4, kMaxLength);
  check_key("bigrams", "symbols", symbols, 4, kAlphabetSize);
  check_key("bigrams", "triggers", triggers, 1, std::min(kMaxTriggers, symbols / 2));
  for (Index from = 0; from < symbols_; ++from) {
    Random random(kChainSeed, kChainStream, static_cast<std::uint64_t>(from));
    double sum = 0;
    for (Index to = 0; to < symbols_; ++to) {
      const double exponential = -std::log1p(-random.uniform());
      sum += exponential * exponential;
      cumulated_.push_back(sum);
    }
    for (Index to = 0; to < symbols_; ++to) {
      cumulated_[static_cast<std::size_t>(from * symbols_ + to)] /= sum;
    }
  }
}

std::vector<std::string> BigramsLabelling::symbols() const {
  return characters(std::string_view(kAlphabet, static_cast<std::size_t>(symbols_)));
}

double BigramsLabelling::sequence_count() const {
  return std::pow(static_cast<double>(symbols_), static_cast<double>(length_ / 2));
}

double BigramsLabelling::probability(TokenId from, TokenId to) const {
  const auto at = static_cast<std::size_t>(from * symbols_ + to);
  return to == 0 ? cumulated_[at] : cumulated_[at] - cumulated_[at - 1];
}

TokenId BigramsLabelling::next(Random& random, TokenId from) const {
  const auto begin = cumulated_.begin() + from * symbols_;
  const auto found = std::upper_bound(begin, begin + symbols_, random.uniform());
  return static_cast<TokenId>(std::min<Index>(found - begin, symbols_ - 1));
}

void BigramsLabelling::draw(Random& random, std::span<TokenId> inputs,
                            std::span<TokenId> targets) const {
  std::array<TokenId, kMaxTriggers> continuation;
  std::array<bool, kMaxTriggers> seen{};
  for (TokenId& token : continuation) {
    token = static_cast<TokenId>(triggers_ + random.below(symbols_ - triggers_));
  }
  auto token = static_cast<TokenId>(random.below(symbols_));
  for (std::size_t t = 0; t < inputs.size(); ++t) {
    inputs[t] = token;
    targets[t] = kIgnoreTarget;
    if (token >= triggers_) {
      token = next(random, token);
      continue;
    }
    const auto trigger = static_cast<std::size_t>(token);
    if (seen[trigger]) targets[t] = continuation[trigger];
    seen[trigger] = true;
    token = continuation[trigger];
  }
}

}  // namespace tapehead
