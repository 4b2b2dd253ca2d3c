#pragma once

#include <string>

#include "base/types.h"
#include "train/build_model.h"
#include "train/config/config.h"

namespace tapehead {

/// What training will need at least, roughly, in bytes. Doubles: some configurations ask for more
/// than a 64-bit integer can count.
struct MemoryEstimate {
  double parameters = 0;  ///< their number, not bytes
  double model = 0;       ///< parameters, gradients of each shard, moments of the optimizer
  double batch = 0;       ///< tokens, and the activations that the backward pass needs
  double metrics = 0;     ///< two rows a step
  double probes = 0;      ///< attention weights that a probe looks at, and what it records

  double total() const { return model + batch + metrics + probes; }
};

/// From the configuration and the task's sizes alone: no more is built than shapes, so that it is
/// as quick for a model that no machine could hold. Throws what build_model() throws.
MemoryEstimate estimate_memory(const Config& config, const ModelSizes& sizes);

/// Throws ValueError, with the estimate and the keys that make it smaller, if training needs more
/// than `available` bytes.
void check_memory(const Config& config, const ModelSizes& sizes, double available);

/// The machine's physical memory in bytes.
double physical_memory();

}  // namespace tapehead
