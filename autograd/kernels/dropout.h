#pragma once

#include <cstdint>

#include "base/types.h"

namespace tapehead::kernels {

/// Names the random numbers of one dropout in one pass.
struct DropoutKey {
  std::uint64_t seed = 0;
  std::uint64_t step = 0;
  std::uint32_t layer_id = 0;
};

/// mask[i] = 0 with probability p, else 1 / (1 - p), for the n elements with the global indices
/// first_index, first_index + 1, ... The numbers depend on key and index alone, so the mask is the
/// same however the elements are shared out among threads and shards. p must be in [0, 1).
template <typename Scalar>
void dropout_mask(const DropoutKey& key, Index first_index, Index n, double p, Scalar* mask);

}  // namespace tapehead::kernels
