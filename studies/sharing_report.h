#pragma once

#include <string>
#include <vector>

#include "studies/sharing_variants.h"
#include "studies/study.h"

namespace tapehead {

/// What a variant reaches, one number a seed.
struct SharingQuality {
  SharingVariant variant;
  double parameters = 0;
  std::vector<double> losses, accuracies;  ///< on held-out rows: cross-entropy, right tokens
};

/// How long one more token takes.
struct DecodeCost {
  std::string variant;
  double cache_bytes = 0;  ///< of a token
  std::vector<double> contexts;
  std::vector<std::vector<double>> ms;  ///< of each round, one number a context
};

/// Tables, charts and findings of what was measured; the first of each is multi-head attention, and
/// one quality is called "MQA".
void report_sharing(const std::vector<SharingQuality>& qualities,
                    const std::vector<DecodeCost>& costs, StudyResult& result);

}  // namespace tapehead
