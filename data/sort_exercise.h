#pragma once

#include "data/sequence_exercise.h"

namespace tapehead {

/// Sorts the symbols of the prompt, the smallest first: digits before small letters before
/// capitals. Keys: length, symbols, min_length. With length 4:
///
///   input   3 1 4 1 > 1 1 3 4
///   target  _ _ _ _ 1 1 3 4 |
class SortExercise : public SequenceExercise {
 public:
  explicit SortExercise(Index length = kDefaultLength, Index symbols = kDefaultSymbols,
                        Index min_length = 0)
      : SequenceExercise("sort", length, symbols, min_length) {}
  /// Of the answers, those that hold each symbol about equally often are the most likely:
  /// length! / (product of the counts' factorials) prompts have them. Of several lengths, the
  /// shortest is the easiest to guess.
  double chance() const override;
  void solve(std::span<const TokenId> prompt, std::span<TokenId> answer) const override;
};

}  // namespace tapehead
