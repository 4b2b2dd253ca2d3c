#include "data/copy_exercise.h"

#include <algorithm>

namespace tapehead {

void CopyExercise::solve(std::span<const TokenId> prompt, std::span<TokenId> answer) const {
  std::ranges::copy(prompt, answer.begin());
}

}  // namespace tapehead
