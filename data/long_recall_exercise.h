#pragma once

#include "data/exercise.h"

namespace tapehead {

/// One fact, the symbol after '*', and then `distance` symbols that do not matter; the answer is
/// the fact. What was read long ago must be kept, or looked up. Keys: distance, symbols. With
/// distance 5:
///
///   input   * 7 3 1 4 1 5 > 7
///   target  _ _ _ _ _ _ _ 7 |
///
/// Source: made for the comparison of recurrent networks, which lose what is far away, with
/// attention; after the long-time-lag tasks of Hochreiter & Schmidhuber 1997, section 5.2.
class LongRecallExercise : public Exercise {
 public:
  static constexpr Index kDefaultDistance = 30;
  static constexpr Index kDefaultSymbols = 10;
  static constexpr Index kMaxDistance = 4096;

  /// Throws ValueError unless distance is from 1 to 4096 and symbols from 2 to 62.
  explicit LongRecallExercise(Index distance = kDefaultDistance, Index symbols = kDefaultSymbols);

  std::string name() const override { return "long_recall"; }
  /// The symbols, then '*'.
  std::vector<std::string> symbols() const override;
  Index prompt_length() const override { return distance_ + 2; }
  Index answer_length() const override { return 1; }
  double prompt_count() const override;
  std::string size_keys() const override { return "distance or symbols"; }
  double chance() const override { return 1 / static_cast<double>(symbols_); }
  void draw(Random& random, std::span<TokenId> prompt) const override;
  bool could_draw(std::span<const TokenId> prompt) const override;
  std::string prompt_form() const override;
  void solve(std::span<const TokenId> prompt, std::span<TokenId> answer) const override;

 private:
  TokenId mark() const { return static_cast<TokenId>(symbols_); }

  Index distance_;
  Index symbols_;
};

}  // namespace tapehead
