#pragma once

#include "base/random.h"
#include "data/held_out.h"
#include "data/task.h"

namespace tapehead {

/// In-context linear regression: a row is a list of points x_i and values y_i = w . x_i (plus
/// noise), with weights w of its own; asked is each y_i before it is shown. Inputs and targets are
/// real numbers. Keys: dimensions, points, noise, curriculum. With 2 dimensions and 3 points, in
/// which w = (1, -2):
///
///   input   (0.5, 1)  (-1.5, 0)  (2, 0.5)  (1, 0)  (-1, 1)
///   target   -1.5         _          1        _       -3
///
/// A value is shown as the first number of a time step whose others are 0. All x, w and the noise,
/// which is multiplied by `noise`, are standard normal. Divided by `dimensions`, the squared error
/// of the answer 0 is 1 on average, and that of the best answer after k points, where there is no
/// noise, is 1 - k / dimensions down to 0: w is known in k directions.
///
/// With a curriculum, training begins with few dimensions and points. Stage s = 1, 2, ... up to
/// `dimensions` lasts `curriculum` steps, the last one for ever. In stage s only the first s
/// numbers of x are not 0, so that w matters in s directions, and only the first 2 s + 1 points are
/// asked; all points are in the last stage. The row above in stage 1:
///
///   input   (0.5, 0)  (0.5, 0)  (2, 0)  (2, 0)  (-1, 0)
///   target    0.5        _        2       _       -1
///
/// Apart from that, a row is the one of the same seed and step without a curriculum, and held-out
/// rows have all dimensions and points always.
///
/// Source: Garg et al. 2022 (arXiv:2208.01066): 20 dimensions and 41 points. Their curriculum
/// begins with 5 dimensions and 11 points, and every 2000 steps bring 1 and 2 more (src/conf of
/// github.com/dtsip/in-context-learning, where toy.yaml has 5 dimensions and 11 points).
class RegressionTask : public Task {
 public:
  static constexpr Index kDefaultDimensions = 5;
  static constexpr Index kDefaultPoints = 11;
  static constexpr double kDefaultNoise = 0;
  static constexpr Index kDefaultCurriculum = 0;
  static constexpr Index kMaxDimensions = 1000;
  static constexpr Index kMaxPoints = 10'000;
  static constexpr double kMaxNoise = 1000;
  static constexpr Index kMaxCurriculum = 1'000'000'000;

  /// `curriculum`: steps of a stage; 0: all dimensions and points from the first step on. Throws
  /// ValueError unless dimensions is from 1 to 1000, points from 1 to 10,000, noise from 0 to 1000,
  /// held_out from 10 to 1,000,000 and curriculum from 0 to 1,000,000,000.
  explicit RegressionTask(Index dimensions = kDefaultDimensions, Index points = kDefaultPoints,
                          double noise = kDefaultNoise, Index held_out = kDefaultHeldOut,
                          Index curriculum = kDefaultCurriculum);

  std::string name() const override { return "regression"; }
  /// One symbol, which stands nowhere: inputs and targets are no tokens.
  const Vocabulary& symbols() const override { return symbols_; }
  Index length() const override { return 2 * points_ - 1; }
  Layout layout() const override { return Layout::kCausal; }
  Index feature_width() const override { return dimensions_; }
  Index target_width() const override { return 1; }
  bool counts_sequences() const override { return false; }
  /// The squared error of the answer 0.
  std::optional<double> chance() const override;

  void train_batch(std::uint64_t seed, Index step, Index rows, Batch& batch) const override;
  Index held_out_rows() const override { return held_out_; }
  void held_out_batch(Index first, Index rows, Batch& batch) const override;

  /// Throws ValueError: there is no text to answer.
  std::vector<TokenId> encode_prompt(std::string_view text) const override;

 private:
  /// What the rows of one training step have.
  struct Stage {
    Index dimensions;  ///< numbers of x, from the first on, that are not 0
    Index points;      ///< from the first on, that are asked
  };

  Stage stage(Index step) const;
  void resize(Batch& batch, Index rows) const;
  void draw(Random& random, Stage stage, Batch& batch, Index row) const;

  Index dimensions_;
  Index points_;
  double noise_;
  Index held_out_;
  Index curriculum_;
  Vocabulary symbols_;
};

}  // namespace tapehead
