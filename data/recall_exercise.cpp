#include "data/recall_exercise.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include <fmt/format.h>

namespace tapehead {
namespace {

constexpr char kKeySymbols[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
constexpr char kValueSymbols[] = "0123456789";

}  // namespace

RecallExercise::RecallExercise(Index pairs, Index keys, Index values)
    : pairs_(pairs), keys_(keys), values_(values) {
  check_key("recall", "keys", keys, 1, kMaxKeys);
  check_key("recall", "pairs", pairs, 1, keys);
  check_key("recall", "values", values, 2, kMaxValues);
}

std::vector<std::string> RecallExercise::symbols() const {
  return characters(std::string(kValueSymbols, static_cast<std::size_t>(values_)) +
                    std::string(kKeySymbols, static_cast<std::size_t>(keys_)));
}

double RecallExercise::prompt_count() const {
  double count = static_cast<double>(pairs_);  // the key that is asked for
  for (Index i = 0; i < pairs_; ++i) {
    count *= static_cast<double>(keys_ - i) * static_cast<double>(values_);
  }
  return count;
}

void RecallExercise::draw(Random& random, std::span<TokenId> prompt) const {
  std::array<TokenId, kMaxKeys> keys;
  std::iota(keys.begin(), keys.end(), static_cast<TokenId>(values_));
  for (Index i = 0; i < pairs_; ++i) {  // the first steps of a shuffle
    std::swap(keys[static_cast<std::size_t>(i)],
              keys[static_cast<std::size_t>(i + random.below(keys_ - i))]);
    const auto at = static_cast<std::size_t>(2 * i);
    prompt[at] = keys[static_cast<std::size_t>(i)];
    prompt[at + 1] = static_cast<TokenId>(random.below(values_));
  }
  prompt[static_cast<std::size_t>(2 * pairs_)] =
      keys[static_cast<std::size_t>(random.below(pairs_))];
}

bool RecallExercise::could_draw(std::span<const TokenId> prompt) const {
  std::array<bool, kMaxKeys> seen{};
  const auto is_key = [this](TokenId token) { return token >= values_ && token < values_ + keys_; };
  const auto seen_at = [&](TokenId key) -> bool& {
    return seen[static_cast<std::size_t>(key - values_)];
  };
  for (std::size_t at = 0; at + 1 < prompt.size(); at += 2) {
    const TokenId key = prompt[at];
    if (!is_key(key) || prompt[at + 1] >= values_ || seen_at(key)) return false;
    seen_at(key) = true;
  }
  return is_key(prompt.back()) && seen_at(prompt.back());
}

std::string RecallExercise::prompt_form() const {
  return fmt::format(
      "{} pairs of a key ({}) and a value ({}), no key twice, then one of these keys", pairs_,
      std::string_view(kKeySymbols, static_cast<std::size_t>(keys_)),
      std::string_view(kValueSymbols, static_cast<std::size_t>(values_)));
}

void RecallExercise::solve(std::span<const TokenId> prompt, std::span<TokenId> answer) const {
  std::size_t at = 0;
  while (prompt[at] != prompt.back()) at += 2;
  answer[0] = prompt[at];
  answer[1] = prompt[at + 1];
}

}  // namespace tapehead
