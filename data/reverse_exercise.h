#pragma once

#include "data/sequence_exercise.h"

namespace tapehead {

/// Gives the prompt back to front. Keys: length, symbols, min_length. With length 3:
///
///   input   3 1 4 > 4 1 3
///   target  _ _ _ 4 1 3 |
class ReverseExercise : public SequenceExercise {
 public:
  explicit ReverseExercise(Index length = kDefaultLength, Index symbols = kDefaultSymbols,
                           Index min_length = 0)
      : SequenceExercise("reverse", length, symbols, min_length) {}
  void solve(std::span<const TokenId> prompt, std::span<TokenId> answer) const override;
};

}  // namespace tapehead
