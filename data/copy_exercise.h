#pragma once

#include "data/sequence_exercise.h"

namespace tapehead {

/// Repeats the prompt. Keys: length, symbols, min_length. With length 3:
///
///   input   3 1 4 > 3 1 4
///   target  _ _ _ 3 1 4 |
class CopyExercise : public SequenceExercise {
 public:
  explicit CopyExercise(Index length = kDefaultLength, Index symbols = kDefaultSymbols,
                        Index min_length = 0)
      : SequenceExercise("copy", length, symbols, min_length) {}
  void solve(std::span<const TokenId> prompt, std::span<TokenId> answer) const override;
};

}  // namespace tapehead
