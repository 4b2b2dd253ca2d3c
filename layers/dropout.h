#pragma once

#include "autograd/tape.h"
#include "layers/builder.h"

namespace tapehead {

/// Zeroes each number with probability p while training, and divides the others by 1 - p
/// (Srivastava et al. 2014). The numbers zeroed depend on the run's seed, the step, this layer and
/// the element's place in the whole batch: not on threads or shards. Outside training: y = x.
template <typename Scalar>
class Dropout {
 public:
  /// Throws ValueError unless 0 <= p < 1.
  Dropout(const Builder<Scalar>& at, double p);
  Var<Scalar> forward(const Var<Scalar>& x) const;

 private:
  double p_;
  std::uint32_t layer_id_;
};

}  // namespace tapehead
