#pragma once

#include <vector>

#include "data/task.h"

namespace tapehead {

/// Addition modulo p from a part of all p * p sums: the task on which generalisation was seen long
/// after the training sums were known by heart ("grokking"). Keys: modulus, train_fraction. With
/// modulus 7:
///
///   input   5 4 =
///   target  _ _ 2
///
/// All pairs are put in one random order, the same in every run. The first train_fraction of them
/// are the training set, all others are held out. The rows of a training batch are different pairs,
/// as long as there are enough: a batch as large as the training set is the whole of it.
///
/// Sources: Power et al. 2022 (arXiv:2201.02177), modulus 97; Nanda et al. 2023 (arXiv:2301.05217),
/// modulus 113 and train_fraction 0.3.
class ModularAdditionTask : public Task {
 public:
  static constexpr Index kDefaultModulus = 97;
  static constexpr double kDefaultTrainFraction = 0.3;
  static constexpr Index kMaxModulus = 1000;

  /// Throws ValueError unless modulus is from 5 to 1000 and train_fraction leaves at least one pair
  /// on either side.
  explicit ModularAdditionTask(Index modulus = kDefaultModulus,
                               double train_fraction = kDefaultTrainFraction,
                               Layout layout = Layout::kCausal);

  std::string name() const override { return "modular_addition"; }
  /// The numbers from 0, then '='.
  const Vocabulary& symbols() const override { return symbols_; }
  Index length() const override { return 3; }
  Layout layout() const override { return layout_; }
  std::optional<double> chance() const override { return 1 / static_cast<double>(modulus_); }

  void train_batch(std::uint64_t seed, Index step, Index rows, Batch& batch) const override;
  Index held_out_rows() const override;
  void held_out_batch(Index first, Index rows, Batch& batch) const override;

  /// "5 4" and "5 4 =" are the same prompt. Throws ValueError if it is no pair of numbers.
  std::vector<TokenId> encode_prompt(std::string_view text) const override;

  Index train_size() const { return train_size_; }

 private:
  void lay_out(Batch& batch, Index row, Index pair) const;

  Index modulus_;
  Layout layout_;
  Vocabulary symbols_;
  std::vector<std::int32_t> pairs_;  // a * modulus + b, in random order
  Index train_size_;
};

}  // namespace tapehead
