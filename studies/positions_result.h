#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "studies/positions.h"
#include "studies/study_models.h"
#include "train/config/words.h"

namespace tapehead {

/// Lengths of prompts that are measured together.
struct LengthBucket {
  Index low = 0, high = 0;
  std::string name() const;  ///< "11-12"
};

std::vector<LengthBucket> buckets_of(const PositionsSettings& settings);

/// The accuracy of every task, kind of positions and seed in each bucket; NaN where the model
/// cannot read so long a sequence.
class LengthNumbers {
 public:
  LengthNumbers(const PositionsSettings& settings, std::vector<std::vector<double>> cells)
      : settings_(settings), buckets_(buckets_of(settings)), cells_(std::move(cells)) {}

  const PositionsSettings& settings() const { return settings_; }
  std::string position_name(std::size_t position) const {
    return std::string(name_of(settings_.positions[position]));
  }
  const std::vector<LengthBucket>& buckets() const { return buckets_; }
  /// The first bucket that is longer than what was trained on.
  std::size_t first_beyond() const {
    const auto beyond = std::ranges::find_if(
        buckets_, [this](const LengthBucket& b) { return b.high > settings_.longest_trained; });
    return static_cast<std::size_t>(beyond - buckets_.begin());
  }

  Estimate at(std::size_t task, std::size_t position, std::size_t bucket) const {
    return estimate_cells(cells_, first(task, position), seeds(), bucket);
  }
  double of_seed(std::size_t task, std::size_t position, std::size_t seed,
                 std::size_t bucket) const {
    return cells_[first(task, position) + seed][bucket];
  }
  std::size_t seeds() const { return static_cast<std::size_t>(settings_.seeds); }

  /// Mean over the buckets that are longer than what was trained on; 0 where it cannot read them.
  Estimate beyond(std::size_t task, std::size_t position) const;
  /// Of the worst seed in its worst bucket, among the lengths that it was trained on.
  double worst_within(std::size_t task, std::size_t position) const;

 private:
  std::size_t first(std::size_t task, std::size_t position) const {
    return (task * settings_.positions.size() + position) * seeds();
  }

  const PositionsSettings& settings_;
  std::vector<LengthBucket> buckets_;
  std::vector<std::vector<double>> cells_;
};

/// Tables, charts and findings.
StudyResult positions_result(const LengthNumbers& numbers);

}  // namespace tapehead
