#include "data/induction_labelling.h"

#include <algorithm>
#include <cmath>

#include "data/exercise.h"
#include "data/sequence_exercise.h"

namespace tapehead {

InductionLabelling::InductionLabelling(Index length, Index symbols)
    : length_(length), symbols_(symbols) {
  check_key("induction", "length", length, 3, kMaxLength);
  check_key("induction", "symbols", symbols, 2, kAlphabetSize);
}

std::vector<std::string> InductionLabelling::symbols() const {
  return characters(std::string(kAlphabet, static_cast<std::size_t>(symbols_)) + '!');
}

double InductionLabelling::sequence_count() const {
  return static_cast<double>(length_ - 2) *
         std::pow(static_cast<double>(symbols_), static_cast<double>(length_ - 2));
}

void InductionLabelling::draw(Random& random, std::span<TokenId> inputs,
                              std::span<TokenId> targets) const {
  const auto trigger = static_cast<TokenId>(symbols_);
  const auto first = static_cast<std::size_t>(random.below(length_ - 2));
  for (TokenId& token : inputs) token = static_cast<TokenId>(random.below(symbols_));
  inputs[first] = trigger;
  inputs.back() = trigger;
  std::ranges::fill(targets, kIgnoreTarget);
  targets.back() = inputs[first + 1];
}

}  // namespace tapehead
