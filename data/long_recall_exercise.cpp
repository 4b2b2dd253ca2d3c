#include "data/long_recall_exercise.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "data/sequence_exercise.h"

namespace tapehead {

LongRecallExercise::LongRecallExercise(Index distance, Index symbols)
    : distance_(distance), symbols_(symbols) {
  check_key("long_recall", "distance", distance, 1, kMaxDistance);
  check_key("long_recall", "symbols", symbols, 2, kAlphabetSize);
}

std::vector<std::string> LongRecallExercise::symbols() const {
  return characters(std::string(kAlphabet, static_cast<std::size_t>(symbols_)) + '*');
}

double LongRecallExercise::prompt_count() const {
  return std::pow(static_cast<double>(symbols_), static_cast<double>(distance_ + 1));
}

void LongRecallExercise::draw(Random& random, std::span<TokenId> prompt) const {
  for (TokenId& token : prompt) token = static_cast<TokenId>(random.below(symbols_));
  prompt.front() = mark();
}

bool LongRecallExercise::could_draw(std::span<const TokenId> prompt) const {
  return prompt.front() == mark() &&
         std::ranges::all_of(prompt.subspan(1), [this](TokenId token) { return token < mark(); });
}

std::string LongRecallExercise::prompt_form() const {
  return fmt::format("'*' and {} of the symbols {}", distance_ + 1,
                     std::string_view(kAlphabet, static_cast<std::size_t>(symbols_)));
}

void LongRecallExercise::solve(std::span<const TokenId> prompt, std::span<TokenId> answer) const {
  answer.front() = prompt[1];
}

}  // namespace tapehead
