#pragma once

#include <string>
#include <vector>

#include "studies/study.h"
#include "train/config/config.h"

namespace tapehead {

/// How far back can a fact stand, for attention and for networks that have none?
struct DistanceSettings {
  std::vector<Index> distances = {8, 16, 32, 64, 128};
  /// Each kind of model is as wide as it takes to have about so many parameters.
  Index parameters = 26'000;
  Index most_steps = 2000;  ///< a run stops when it is right
  Index batch = 32;
  Index rows = 1000;  ///< that accuracy is measured on
  Index seeds = 3;
};

/// The kinds of models that are compared.
const std::vector<ModelKind>& distance_kinds();

/// The configuration of one run.
Config distance_config(const DistanceSettings& settings, ModelKind kind, Index distance,
                       Index seed);

/// Trains every kind on long_recall at every distance, and measures the norm of the gradient of the
/// answer's loss at the fact before and after.
StudyResult distance_study(const StudyRequest& request, const DistanceSettings& settings);

/// The study of the command line.
StudyResult run_distance_study(const StudyRequest& request);

}  // namespace tapehead
