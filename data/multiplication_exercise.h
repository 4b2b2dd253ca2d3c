#pragma once

#include "data/exercise.h"

namespace tapehead {

/// Multiplies a number of a fixed number of digits, zeros in front, by one digit. The answer has
/// one digit more. Keys: digits, reversed. 47 * 6 = 282 with 2 digits:
///
///   input   4 7 * 6 > 2 8 2        reversed (the default): the last digit comes first (here the
///   target  _ _ _ _ 2 8 2 |        same), so that each digit needs only the carry before it
///
/// Source: smaller than the multiplication of Lee et al. 2023 (arXiv:2307.03381).
class MultiplicationExercise : public Exercise {
 public:
  static constexpr Index kDefaultDigits = 3;
  static constexpr bool kDefaultReversed = true;
  static constexpr Index kMaxDigits = 100;

  /// Throws ValueError unless digits is from 1 to 100.
  explicit MultiplicationExercise(Index digits = kDefaultDigits, bool reversed = kDefaultReversed);

  std::string name() const override { return "multiplication"; }
  std::vector<std::string> symbols() const override { return characters("0123456789*"); }
  Index prompt_length() const override { return digits_ + 2; }
  Index answer_length() const override { return digits_ + 1; }
  double prompt_count() const override;
  std::string size_keys() const override { return "digits"; }
  /// 0...0 is the most likely product: of 0 and anything, or of anything and 0.
  double chance() const override;
  void draw(Random& random, std::span<TokenId> prompt) const override;
  bool could_draw(std::span<const TokenId> prompt) const override;
  std::string prompt_form() const override;
  void solve(std::span<const TokenId> prompt, std::span<TokenId> answer) const override;
  /// "47*6" becomes "047*6" with 3 digits.
  std::string completed(const std::string& text) const override;

 private:
  Index digits_;
  bool reversed_;
};

}  // namespace tapehead
