#pragma once

#include "autograd/tape.h"

namespace tapehead {

/// Logarithm of the softmax along `axis`, computed without forming the softmax.
///
///   y_i  = x_i - max x - log(sum_j exp(x_j - max x))
///   dx_i = dy_i - exp(y_i) sum_j dy_j
///
/// x: any shape of rank >= 1; y: the same. A slice of only -inf stays as it is and has gradient
/// zero. Throws ShapeError if `axis` does not exist. Keeps for backward: y.
template <typename Scalar>
Var<Scalar> log_softmax(const Var<Scalar>& x, int axis = -1);

}  // namespace tapehead
