#pragma once

#include "base/types.h"

namespace tapehead::kernels {

/// The loss of one row of n logits x against class `target`, smoothed by `smoothing` (s):
///
///   q_j  = (1 - s) [j = target] + s / n
///   loss = -sum_j q_j log p_j,  p = softmax(x)
///
/// and its gradient times `scale`: dx_j = (p_j - q_j) scale.
template <typename Scalar>
Scalar cross_entropy(const Scalar* x, Index n, Index target, Scalar smoothing, Scalar scale,
                     Scalar* dx);

}  // namespace tapehead::kernels
