#pragma once

#include <cmath>
#include <limits>
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

/// A real target where nothing is asked; ask is_asked(), as NaN is not equal to itself.
inline constexpr float kIgnoreRealTarget = std::numeric_limits<float>::quiet_NaN();
inline bool is_asked(float real_target) { return !std::isnan(real_target); }

/// Rows of sequences and of what each position shall predict: tokens, or real numbers.
struct Batch {
  Index rows = 0;
  Index length = 0;
  std::vector<TokenId> inputs;   ///< rows x length
  std::vector<TokenId> targets;  ///< rows x length; kIgnoreTarget where nothing is asked

  // Where the inputs are real numbers, these stand in place of inputs and targets, which are empty.
  Index feature_width = 0;               ///< numbers of a position; 0: the inputs are tokens
  std::vector<float> features = {};      ///< rows x length x feature_width
  std::vector<float> real_targets = {};  ///< rows x length; kIgnoreRealTarget: nothing is asked

  /// Sets the sizes; memory is kept from call to call.
  void resize(Index new_rows, Index new_length) {
    set_sizes(new_rows, new_length, 0);
    inputs.resize(static_cast<std::size_t>(rows * length));
    targets.resize(static_cast<std::size_t>(rows * length));
  }
  /// The same for real-valued inputs of `width` numbers a position.
  void resize_real(Index new_rows, Index new_length, Index width) {
    set_sizes(new_rows, new_length, width);
    inputs.clear();
    targets.clear();
  }

 private:
  void set_sizes(Index new_rows, Index new_length, Index width) {
    rows = new_rows;
    length = new_length;
    feature_width = width;
    features.resize(static_cast<std::size_t>(rows * length * width));
    real_targets.resize(static_cast<std::size_t>(width > 0 ? rows * length : 0));
  }
};

}  // namespace tapehead
