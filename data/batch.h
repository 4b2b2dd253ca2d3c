#pragma once

#include <vector>

#include "base/types.h"

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
  kParallel,
  /// For encoder-decoders. The prompt is the source, which the encoder reads; the decoder writes
  /// the answer:
  ///
  ///   source  3 1 4
  ///   input   > 4 1 3
  ///   target  4 1 3 |
  kSourceTarget
};

/// Rows of sequences and of what each position shall predict.
///
/// Most batches hold tokens only. Beside them, or in their place, there may be a source sequence
/// for an encoder-decoder, and real numbers as inputs and as targets.
struct Batch {
  Index rows = 0;
  Index length = 0;
  /// rows x length; without meaning where there are features.
  std::vector<TokenId> inputs;
  /// rows x length; kIgnoreTarget where nothing is asked. With real targets any other value says
  /// that those of this position count.
  std::vector<TokenId> targets;

  Index source_length = 0;       ///< of each source; 0: there are none
  std::vector<TokenId> sources;  ///< rows x source_length; kPadToken after the end of a shorter one

  Index feature_width = 0;          ///< numbers of one time step; 0: the inputs are tokens
  std::vector<float> features;      ///< rows x length x feature_width
  Index target_width = 0;           ///< numbers of one target; 0: the targets are tokens
  std::vector<float> real_targets;  ///< rows x length x target_width

  /// Sets the sizes of inputs and targets; memory is kept from call to call.
  void resize(Index new_rows, Index new_length) {
    rows = new_rows;
    length = new_length;
    inputs.resize(static_cast<std::size_t>(rows * length));
    targets.resize(static_cast<std::size_t>(rows * length));
  }
  /// Sets the size of the sources, after resize().
  void resize_sources(Index new_length) {
    source_length = new_length;
    sources.resize(static_cast<std::size_t>(rows * source_length));
  }
  /// Sets the sizes of features and real targets, after resize(); 0: there are none.
  void resize_real(Index new_feature_width, Index new_target_width) {
    feature_width = new_feature_width;
    target_width = new_target_width;
    features.resize(static_cast<std::size_t>(rows * length * feature_width));
    real_targets.resize(static_cast<std::size_t>(rows * length * target_width));
  }
};

}  // namespace tapehead
