#pragma once

#include <vector>

#include "studies/study.h"

namespace tapehead {

/// Time and memory of one layer over sequences of growing length.
struct LayerCost {
  std::string layer;
  std::vector<double> lengths;
  std::vector<std::vector<double>> ms;  ///< of each round, one number a length
  std::vector<double> bytes;            ///< at the peak, one number a length
};

/// How time and memory of attention grow with the length of the sequence, beside those of recurrent
/// and convolution layers of equal width (compared_layers()), forward and backward.
///
/// Time: the median processor time of repeated passes on one thread, in three rounds with weights
/// and sequences of their own. Memory: the peak of the tape's pool in one pass. Exponents:
/// fit_power_law() over the upper four lengths, all rounds together.
StudyResult run_complexity(const StudyRequest& request);

/// Tables, charts and findings of the costs of compared_layers().
void report_complexity(const std::vector<LayerCost>& costs, StudyResult& result);

}  // namespace tapehead
