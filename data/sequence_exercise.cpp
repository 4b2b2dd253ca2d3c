#include "data/sequence_exercise.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace tapehead {

SequenceExercise::SequenceExercise(const char* name, Index length, Index symbols)
    : name_(name), length_(length), symbols_(symbols) {
  check_key(name, "length", length, 1, kMaxLength);
  check_key(name, "symbols", symbols, 2, kAlphabetSize);
}

std::string_view SequenceExercise::alphabet() const {
  return {kAlphabet, static_cast<std::size_t>(symbols_)};
}

std::vector<std::string> SequenceExercise::symbols() const { return characters(alphabet()); }

double SequenceExercise::prompt_count() const {
  return std::pow(static_cast<double>(symbols_), static_cast<double>(length_));
}

void SequenceExercise::draw(Random& random, std::span<TokenId> prompt) const {
  for (TokenId& token : prompt) token = static_cast<TokenId>(random.below(symbols_));
}

bool SequenceExercise::could_draw(std::span<const TokenId> prompt) const {
  return std::ranges::all_of(prompt, [this](TokenId token) { return token < symbols_; });
}

std::string SequenceExercise::prompt_form() const {
  return fmt::format("{} of the symbols {}", length_, alphabet());
}

}  // namespace tapehead
