#pragma once

#include "data/sequence_exercise.h"

namespace tapehead {

/// Repeats the prompt. Keys: length, symbols. With length 3:
///
///   input   3 1 4 > 3 1 4
///   target  _ _ _ 3 1 4 |
class CopyExercise : public SequenceExercise {
 public:
  explicit CopyExercise(Index length = kDefaultLength, Index symbols = kDefaultSymbols)
      : SequenceExercise("copy", length, symbols) {}
  void solve(std::span<const TokenId> prompt, std::span<TokenId> answer) const override;
};

}  // namespace tapehead
