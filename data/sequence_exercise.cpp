#include "data/sequence_exercise.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace tapehead {

SequenceExercise::SequenceExercise(const char* name, Index length, Index symbols, Index min_length)
    : name_(name),
      length_(length),
      symbols_(symbols),
      shortest_(min_length == 0 ? length : min_length) {
  check_key(name, "length", length, 1, kMaxLength);
  check_key(name, "symbols", symbols, 2, kAlphabetSize);
  check_key(name, "min_length", min_length, 0, length);
}

std::string_view SequenceExercise::alphabet() const {
  return {kAlphabet, static_cast<std::size_t>(symbols_)};
}

std::vector<std::string> SequenceExercise::symbols() const { return characters(alphabet()); }

double SequenceExercise::prompt_count() const {
  double sum = 0;
  for (Index length = shortest_; length <= length_; ++length) sum += prompt_count_of(length);
  return sum;
}

double SequenceExercise::prompt_count_of(Index length) const {
  return std::pow(static_cast<double>(symbols_), static_cast<double>(length));
}

double SequenceExercise::chance() const {
  return share_of_shortest() / prompt_count_of(shortest_prompt());
}

void SequenceExercise::draw(Random& random, std::span<TokenId> prompt) const {
  for (TokenId& token : prompt) token = static_cast<TokenId>(random.below(symbols_));
}

bool SequenceExercise::could_draw(std::span<const TokenId> prompt) const {
  return std::ranges::all_of(prompt, [this](TokenId token) { return token < symbols_; });
}

std::string SequenceExercise::prompt_form() const {
  if (shortest_ == length_) return fmt::format("{} of the symbols {}", length_, alphabet());
  return fmt::format("{} to {} of the symbols {}", shortest_, length_, alphabet());
}

}  // namespace tapehead
