#include "data/reverse_exercise.h"

#include <algorithm>

namespace tapehead {

void ReverseExercise::solve(std::span<const TokenId> prompt, std::span<TokenId> answer) const {
  std::ranges::reverse_copy(prompt, answer.begin());
}

}  // namespace tapehead
