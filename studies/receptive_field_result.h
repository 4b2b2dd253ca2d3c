#pragma once

#include <string>
#include <utility>
#include <vector>

#include "studies/receptive_field.h"
#include "studies/study_models.h"

namespace tapehead {

inline constexpr Index kFieldRows = 64;  ///< held-out rows that are looked at
inline constexpr Index kDecoderLayers = 2, kDecoderHeads = 4;
inline constexpr std::size_t kHeadCount = kDecoderLayers * kDecoderHeads;

/// The numbers of a cell: these, then the distances of the decoder's heads, the shortest first (NaN
/// for a convolution), then the share of the gradient within each distance.
enum FieldNumber : std::size_t {
  kFieldAccuracy,
  kFieldParameters,
  kField,         ///< positions that an output can depend on
  kEvenDistance,  ///< of a head that attends to all evenly
  kHalfWithin,    ///< the distance within which half of the gradient lies
  kMostWithin,    ///< nine tenths
  kFirstHead,
  kFirstShare = kFirstHead + kHeadCount
};

/// What the cells measured, of every task and model.
class FieldNumbers {
 public:
  FieldNumbers(const ReceptiveFieldSettings& settings, std::vector<std::vector<double>> cells)
      : settings_(settings), models_(receptive_field_models(settings)), cells_(std::move(cells)) {}

  const ReceptiveFieldSettings& settings() const { return settings_; }
  const std::vector<Index>& models() const { return models_; }
  std::size_t tasks() const { return settings_.tasks.size(); }
  const std::string& task(std::size_t t) const { return settings_.tasks[t].task.name; }

  Estimate at(std::size_t task, std::size_t model, std::size_t number) const {
    return estimate_cells(cells_, first(task, model), seeds(), number);
  }
  /// Of all heads.
  Estimate mean_head(std::size_t task, std::size_t model) const {
    std::vector<double> means;
    for (std::size_t i = 0; i < seeds(); ++i) {
      const auto& cell = cells_[first(task, model) + i];
      double sum = 0;
      for (std::size_t h = 0; h < kHeadCount; ++h) sum += cell[kFirstHead + h];
      means.push_back(sum / static_cast<double>(kHeadCount));
    }
    return estimate(means);
  }
  /// The number of distances whose shares were measured.
  std::size_t distances(std::size_t task) const {
    return cells_[first(task, 0)].size() - kFirstShare;
  }

 private:
  std::size_t seeds() const { return static_cast<std::size_t>(settings_.seeds); }
  std::size_t first(std::size_t task, std::size_t model) const {
    return (task * models_.size() + model) * seeds();
  }

  const ReceptiveFieldSettings& settings_;
  std::vector<Index> models_;
  std::vector<std::vector<double>> cells_;
};

/// Tables, charts and findings.
StudyResult receptive_field_result(const FieldNumbers& numbers);

}  // namespace tapehead
