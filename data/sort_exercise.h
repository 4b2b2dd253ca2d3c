#pragma once

#include "data/sequence_exercise.h"

namespace tapehead {

/// Sorts the symbols of the prompt, the smallest first: digits before small letters before
/// capitals. Keys: length, symbols. With length 4:
///
///   input   3 1 4 1 > 1 1 3 4
///   target  _ _ _ _ 1 1 3 4 |
class SortExercise : public SequenceExercise {
 public:
  explicit SortExercise(Index length = kDefaultLength, Index symbols = kDefaultSymbols)
      : SequenceExercise("sort", length, symbols) {}
  /// Of the answers, those that hold each symbol about equally often are the most likely:
  /// length! / (product of the counts' factorials) prompts have them.
  double chance() const override;
  void solve(std::span<const TokenId> prompt, std::span<TokenId> answer) const override;
};

}  // namespace tapehead
