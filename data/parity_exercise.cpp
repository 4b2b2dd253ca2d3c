#include "data/parity_exercise.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace tapehead {

ParityExercise::ParityExercise(Index length, bool running) : length_(length), running_(running) {
  check_key("parity", "length", length, 1, kMaxLength);
}

double ParityExercise::prompt_count() const { return std::exp2(static_cast<double>(length_)); }

void ParityExercise::draw(Random& random, std::span<TokenId> prompt) const {
  for (TokenId& token : prompt) token = static_cast<TokenId>(random.below(2));
}

bool ParityExercise::could_draw(std::span<const TokenId> prompt) const {
  return std::ranges::all_of(prompt, [](TokenId token) { return token < 2; });
}

std::string ParityExercise::prompt_form() const { return fmt::format("{} bits, 0 or 1", length_); }

void ParityExercise::solve(std::span<const TokenId> prompt, std::span<TokenId> answer) const {
  TokenId parity = 0;
  for (std::size_t i = 0; i < prompt.size(); ++i) {
    parity ^= prompt[i];
    if (running_) answer[i] = parity;
  }
  answer.back() = parity;
}

}  // namespace tapehead
