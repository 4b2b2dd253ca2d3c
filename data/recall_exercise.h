#pragma once

#include "data/exercise.h"

namespace tapehead {

/// Associative recall: pairs of a key (a letter) and a value (a digit), then one of these keys; the
/// answer is the pair that was asked for. The keys of a prompt differ. Keys: pairs, keys, values.
/// With 3 pairs:
///
///   input   c 3 a 7 b 1 a > a 7
///   target  _ _ _ _ _ _ _ a 7 |
///
/// The answer repeats the key, so that the value follows the key there as it did in the prompt: an
/// induction head (Olsson et al. 2022) solves it. Asked for the value alone, a two-layer model
/// stays for thousands of steps at guessing one of the values that it has seen.
class RecallExercise : public Exercise {
 public:
  static constexpr Index kDefaultPairs = 4;
  static constexpr Index kDefaultKeys = 8;
  static constexpr Index kDefaultValues = 10;
  static constexpr Index kMaxKeys = 52;
  static constexpr Index kMaxValues = 10;

  /// Throws ValueError unless keys is from 1 to 52, pairs from 1 to keys, values from 2 to 10.
  explicit RecallExercise(Index pairs = kDefaultPairs, Index keys = kDefaultKeys,
                          Index values = kDefaultValues);

  std::string name() const override { return "recall"; }
  /// The values, then the keys.
  std::vector<std::string> symbols() const override;
  Index prompt_length() const override { return 2 * pairs_ + 1; }
  Index answer_length() const override { return 2; }
  double prompt_count() const override;
  std::string size_keys() const override { return "pairs, keys or values"; }
  double chance() const override { return 1 / static_cast<double>(keys_ * values_); }
  void draw(Random& random, std::span<TokenId> prompt) const override;
  bool could_draw(std::span<const TokenId> prompt) const override;
  std::string prompt_form() const override;
  void solve(std::span<const TokenId> prompt, std::span<TokenId> answer) const override;

 private:
  Index pairs_;
  Index keys_;
  Index values_;
};

}  // namespace tapehead
