#include "data/sort_exercise.h"

#include <algorithm>
#include <cmath>

namespace tapehead {

void SortExercise::solve(std::span<const TokenId> prompt, std::span<TokenId> answer) const {
  std::ranges::copy(prompt, answer.begin());
  std::ranges::sort(answer);
}

double SortExercise::chance() const {
  const Index each = prompt_length() / symbol_count();
  const Index one_more = prompt_length() % symbol_count();
  const auto log_factorial = [](Index n) { return std::lgamma(static_cast<double>(n) + 1); };
  return std::exp(log_factorial(prompt_length()) -
                  static_cast<double>(one_more) * log_factorial(each + 1) -
                  static_cast<double>(symbol_count() - one_more) * log_factorial(each)) /
         prompt_count();
}

}  // namespace tapehead
