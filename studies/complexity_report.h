#pragma once

#include <string>
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

/// Tables, charts and findings of the costs of compared_layers().
void report_complexity(const std::vector<LayerCost>& costs, StudyResult& result);

}  // namespace tapehead
