#pragma once

#include <vector>

#include "autograd/types.h"

namespace tapehead {

/// How an example (prompt, answer) is laid out in time.
enum class Layout {
  /// For decoders. The answer follows the prompt, and each position predicts the next token:
  ///
  ///   input   3 1 4 > 4 1 3        '>' starts the answer
  ///   target  _ _ _ 4 1 3 |        '_' is not counted in the loss, '|' ends
  kCausal,
  /// For encoders. Blanks stand where the answer belongs, and each predicts its own token:
  ///
  ///   input   3 1 4 > . . .
  ///   target  _ _ _ _ 4 1 3
  kParallel
};

/// Rows of token sequences and of what each position shall predict.
struct Batch {
  Index rows = 0;
  Index length = 0;
  std::vector<TokenId> inputs;   ///< rows x length
  std::vector<TokenId> targets;  ///< rows x length; kIgnoreTarget where nothing is asked

  /// Sets the sizes; memory is kept from call to call.
  void resize(Index new_rows, Index new_length) {
    rows = new_rows;
    length = new_length;
    inputs.resize(static_cast<std::size_t>(rows * length));
    targets.resize(static_cast<std::size_t>(rows * length));
  }
};

}  // namespace tapehead
