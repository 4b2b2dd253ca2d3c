#pragma once

#include "autograd/tape.h"

namespace tapehead {

/// Softmax along `axis`.
///
///   y_i  = exp(x_i - max x) / sum_j exp(x_j - max x)
///   dx_i = y_i (dy_i - sum_j y_j dy_j)
///
/// x: any shape of rank >= 1; y: the same, each slice along `axis` sums to 1. A slice of only -inf
/// gives zeros and gradient zero. Throws ShapeError if `axis` does not exist. Keeps for backward:
/// y.
template <typename Scalar>
Var<Scalar> softmax(const Var<Scalar>& x, int axis = -1);

}  // namespace tapehead
