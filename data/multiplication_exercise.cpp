#include "data/multiplication_exercise.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace tapehead {
namespace {

constexpr TokenId kTen = 10;
constexpr TokenId kTimes = 10;  // its place in symbols()

}  // namespace

MultiplicationExercise::MultiplicationExercise(Index digits, bool reversed)
    : digits_(digits), reversed_(reversed) {
  check_key("multiplication", "digits", digits, 1, kMaxDigits);
}

double MultiplicationExercise::prompt_count() const {
  return std::pow(static_cast<double>(kTen), static_cast<double>(digits_ + 1));
}

double MultiplicationExercise::chance() const {
  const double numbers = std::pow(static_cast<double>(kTen), static_cast<double>(digits_));
  return (numbers + kTen - 1) / prompt_count();
}

void MultiplicationExercise::draw(Random& random, std::span<TokenId> prompt) const {
  for (TokenId& token : prompt) token = static_cast<TokenId>(random.below(kTen));
  prompt[static_cast<std::size_t>(digits_)] = kTimes;
}

bool MultiplicationExercise::could_draw(std::span<const TokenId> prompt) const {
  for (std::size_t i = 0; i < prompt.size(); ++i) {
    const bool is_sign = i == static_cast<std::size_t>(digits_);
    if (is_sign ? prompt[i] != kTimes : prompt[i] >= kTen) return false;
  }
  return true;
}

std::string MultiplicationExercise::prompt_form() const {
  return fmt::format("{} digits, '*' and one digit; zeros in front may be left out", digits_);
}

void MultiplicationExercise::solve(std::span<const TokenId> prompt,
                                   std::span<TokenId> answer) const {
  const auto digits = static_cast<std::size_t>(digits_);
  TokenId carry = 0;
  for (std::size_t i = 0; i < digits; ++i) {  // from the last digit on
    const TokenId product = prompt[digits - 1 - i] * prompt.back() + carry;
    answer[i] = product % kTen;
    carry = product / kTen;
  }
  answer[digits] = carry;
  if (!reversed_) std::ranges::reverse(answer);
}

std::string MultiplicationExercise::completed(const std::string& text) const {
  std::string number = text;
  std::erase(number, ' ');
  const auto sign = number.find('*');
  const auto width = static_cast<std::size_t>(digits_);
  if (sign == std::string::npos || sign == 0 || sign >= width) return text;
  return std::string(width - sign, '0') + number;
}

}  // namespace tapehead
