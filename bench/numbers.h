#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include "base/types.h"

namespace tapehead::bench {

/// n numbers between -3 and 3, none of them special, the same at every run.
inline std::vector<float> numbers(Index n) {
  std::vector<float> x(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = 3.0F * std::sin(static_cast<float>(i));
  return x;
}

/// n numbers that a benchmark writes.
inline std::vector<float> space(Index n) { return std::vector<float>(static_cast<std::size_t>(n)); }

}  // namespace tapehead::bench
