#include "data/sort_exercise.h"

#include <algorithm>

namespace tapehead {

void SortExercise::solve(std::span<const TokenId> prompt, std::span<TokenId> answer) const {
  std::ranges::copy(prompt, answer.begin());
  std::ranges::sort(answer);
}

}  // namespace tapehead
