#pragma once

#include "autograd/tape.h"

namespace tapehead {

/// Mean of all elements.
///
///   y    = (sum_i x_i) / n
///   dx_i = dy / n
///
/// x: any shape with at least one element; y: a scalar. Throws ValueError if x is empty. Keeps for
/// backward: nothing.
template <typename Scalar>
Var<Scalar> mean(const Var<Scalar>& x);

/// Mean along `axis`, which disappears, or stays with size 1 if `keepdim`; elsewhere as above.
/// Throws ShapeError if `axis` does not exist, ValueError if its size is 0.
template <typename Scalar>
Var<Scalar> mean(const Var<Scalar>& x, int axis, bool keepdim = false);

}  // namespace tapehead
