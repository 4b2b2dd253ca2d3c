#include "data/sort_exercise.h"

#include <algorithm>
#include <cmath>

namespace tapehead {

void SortExercise::solve(std::span<const TokenId> prompt, std::span<TokenId> answer) const {
  std::ranges::copy(prompt, answer.begin());
  std::ranges::sort(answer);
}

double SortExercise::chance() const {
  const Index length = shortest_prompt();
  const Index each = length / symbol_count();
  const Index one_more = length % symbol_count();
  const auto log_factorial = [](Index n) { return std::lgamma(static_cast<double>(n) + 1); };
  return share_of_shortest() *
         std::exp(log_factorial(length) - static_cast<double>(one_more) * log_factorial(each + 1) -
                  static_cast<double>(symbol_count() - one_more) * log_factorial(each)) /
         prompt_count_of(length);
}

}  // namespace tapehead
