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

/// The whole flat buffer of `store`, gaps included, as stretches of equal decay in ascending order.
/// With `decay_all` there is one stretch; without it the parameters of kind kBias, kNorm and
/// kEmbedding have decay 0, and neighbours of equal decay are joined. Every stretch begins at a
/// cache line, as the parameters do.
template <typename Scalar>
std::vector<DecayRange> decay_ranges(const ParameterStore<Scalar>& store, double weight_decay,
                                     bool decay_all);

}  // namespace tapehead
