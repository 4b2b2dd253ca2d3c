#pragma once

#include "autograd/parameter_store.h"
#include "autograd/tensor.h"

namespace tapehead {

/// The Euclidean norm of a flat buffer, summed in double in an order that does not depend on the
/// number of threads. Allocates nothing.
template <typename Scalar>
double global_norm(const Tensor<Scalar>& buffer, int threads = 1);

struct Clipping {
  double norm = 0;    ///< global norm of the gradients, before clipping
  double factor = 1;  ///< what the gradients are to be multiplied by
};

/// Clipping of all gradients of `store` together, as torch.nn.utils.clip_grad_norm_ does:
///
///   factor = min(1, max_norm / (norm + 1e-6))
///
/// `max_norm` 0 turns it off: the factor is 1. Nothing is written; the optimizer takes the factor
/// into its own pass. Throws ValueError if `max_norm` is negative or NaN; NonFiniteError if the
/// norm is not finite, naming the first parameter and position at fault.
template <typename Scalar>
Clipping clip_by_global_norm(const ParameterStore<Scalar>& store, const Tensor<Scalar>& gradients,
                             double max_norm, int threads = 1);

}  // namespace tapehead
