#pragma once

#include <string>
#include <vector>

#include "base/types.h"

namespace tapehead {

/// What a probe saw after one step: numbers of one kind, of every layer and head, say.
struct ProbeSample {
  std::string name;          ///< "attention/weights"; all samples of a name have one shape
  Index step = 0;            ///< number of updates made
  std::vector<Index> shape;  ///< usually (layers, heads, ...)
  std::vector<float> values;

  bool operator==(const ProbeSample&) const = default;
};

}  // namespace tapehead
