#include "data/addition_exercise.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace tapehead {
namespace {

constexpr TokenId kBase = 10;
constexpr TokenId kPlus = 10;  // its place in symbols()

std::string padded(const std::string& number, Index digits) {
  const auto width = static_cast<std::size_t>(digits);
  if (number.empty() || number.size() >= width) return number;
  return std::string(width - number.size(), '0') + number;
}

}  // namespace

AdditionExercise::AdditionExercise(Index digits, bool reversed, Index carries)
    : digits_(digits), reversed_(reversed), carries_(carries) {
  check_key("addition", "digits", digits, 1, kMaxDigits);
  check_key("addition", "carries", carries, 0, digits);
}

double AdditionExercise::prompt_count() const {
  return std::pow(static_cast<double>(kBase), 2.0 * static_cast<double>(digits_));
}

double AdditionExercise::chance() const {
  return std::pow(static_cast<double>(kBase), -static_cast<double>(digits_));
}

bool AdditionExercise::is_reserved(std::span<const TokenId> prompt) const {
  const auto digits = static_cast<std::size_t>(digits_);
  Index run = 0;  // neighbouring digits that carry
  for (std::size_t i = 0; carries_ > 0 && i < digits; ++i) {
    const TokenId carry = run > 0 ? 1 : 0;
    run = prompt[digits - 1 - i] + prompt[2 * digits - i] + carry >= kBase ? run + 1 : 0;
    if (run == carries_) return true;
  }
  return false;
}

void AdditionExercise::draw(Random& random, std::span<TokenId> prompt) const {
  for (TokenId& token : prompt) token = static_cast<TokenId>(random.below(kBase));
  prompt[static_cast<std::size_t>(digits_)] = kPlus;
}

bool AdditionExercise::could_draw(std::span<const TokenId> prompt) const {
  for (std::size_t i = 0; i < prompt.size(); ++i) {
    const bool is_middle = i == static_cast<std::size_t>(digits_);
    if (is_middle ? prompt[i] != kPlus : prompt[i] >= kBase) return false;
  }
  return true;
}

std::string AdditionExercise::prompt_form() const {
  return fmt::format("{0} digits, '+' and {0} digits; zeros in front may be left out", digits_);
}

void AdditionExercise::solve(std::span<const TokenId> prompt, std::span<TokenId> answer) const {
  const auto digits = static_cast<std::size_t>(digits_);
  TokenId carry = 0;
  for (std::size_t i = 0; i < digits; ++i) {  // from the last digit on
    const TokenId sum = prompt[digits - 1 - i] + prompt[2 * digits - i] + carry;
    answer[i] = sum % kBase;
    carry = sum / kBase;
  }
  answer[digits] = carry;
  if (!reversed_) std::ranges::reverse(answer);
}

std::string AdditionExercise::completed(const std::string& text) const {
  std::string digits_and_plus = text;
  std::erase(digits_and_plus, ' ');
  const auto plus = digits_and_plus.find('+');
  if (plus == std::string::npos) return text;
  return padded(digits_and_plus.substr(0, plus), digits_) + "+" +
         padded(digits_and_plus.substr(plus + 1), digits_);
}

}  // namespace tapehead
