#pragma once

#include "data/exercise.h"

namespace tapehead {

/// Adds two numbers of a fixed number of digits, zeros in front. The answer has one digit more.
/// Keys: digits, reversed, carries. 27 + 95 = 122 with 2 digits:
///
///   input   2 7 + 9 5 > 2 2 1        reversed (the default): the last digit comes first, so that
///   target  _ _ _ _ _ 2 2 1 |        each digit needs only those before it for its carry
///
///   input   2 7 + 9 5 > 1 2 2        plain: the first digit already needs every carry
///   target  _ _ _ _ _ 1 2 2 |
///
/// With carries = n > 0, sums in which n neighbouring digits or more carry are never trained on,
/// and the held-out ones are all of that kind: does the model carry further than it has seen?
///
/// Source: Lee et al. 2023 (arXiv:2307.03381) for plain and reversed digits.
class AdditionExercise : public Exercise {
 public:
  static constexpr Index kDefaultDigits = 3;
  static constexpr bool kDefaultReversed = true;
  static constexpr Index kDefaultCarries = 0;
  static constexpr Index kMaxDigits = 100;

  /// Throws ValueError unless digits is from 1 to 100 and carries from 0 to digits.
  explicit AdditionExercise(Index digits = kDefaultDigits, bool reversed = kDefaultReversed,
                            Index carries = kDefaultCarries);

  std::string name() const override { return "addition"; }
  std::vector<std::string> symbols() const override { return characters("0123456789+"); }
  Index prompt_length() const override { return 2 * digits_ + 1; }
  Index answer_length() const override { return digits_ + 1; }
  double prompt_count() const override;
  std::string size_keys() const override { return "digits"; }
  /// 9...9 is the most likely sum: for each first number there is one second.
  double chance() const override;
  void draw(Random& random, std::span<TokenId> prompt) const override;
  bool could_draw(std::span<const TokenId> prompt) const override;
  std::string prompt_form() const override;
  bool reserves() const override { return carries_ > 0; }
  bool is_reserved(std::span<const TokenId> prompt) const override;
  std::string reserving_keys() const override { return "carries or digits"; }
  void solve(std::span<const TokenId> prompt, std::span<TokenId> answer) const override;
  /// "27+95" becomes "027+095" with 3 digits.
  std::string completed(const std::string& text) const override;

 private:
  Index digits_;
  bool reversed_;
  Index carries_;
};

}  // namespace tapehead
