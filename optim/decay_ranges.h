#pragma once

#include <vector>

#include "autograd/parameter_store.h"

namespace tapehead {

/// A stretch of the flat buffer in which weight decay is the same.
struct DecayRange {
  Index begin = 0;
  Index end = 0;
  double weight_decay = 0;
};

/// Which parameters decay acts on: all; or without biases, norms and embeddings; or without biases
/// and norms.
struct DecayScope {
  bool all = true;
  bool embeddings = false;  ///< matters if not `all`
};

/// The whole flat buffer of `store`, gaps included, as stretches of equal decay in ascending order.
/// Parameters outside the scope have decay 0, and neighbours of equal decay are joined. Every
/// stretch begins at a cache line, as the parameters do.
template <typename Scalar>
std::vector<DecayRange> decay_ranges(const ParameterStore<Scalar>& store, double weight_decay,
                                     DecayScope scope);

}  // namespace tapehead
