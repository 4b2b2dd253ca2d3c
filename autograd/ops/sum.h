#pragma once

#include "autograd/tape.h"

namespace tapehead {

/// Sum of all elements.
///
///   y    = sum_i x_i
///   dx_i = dy
///
/// x: any shape; y: a scalar, 0 if x is empty. Keeps for backward: nothing.
template <typename Scalar>
Var<Scalar> sum(const Var<Scalar>& x);

/// Sum along `axis`, which disappears, or stays with size 1 if `keepdim`; elsewhere as above.
/// Throws ShapeError if `axis` does not exist.
template <typename Scalar>
Var<Scalar> sum(const Var<Scalar>& x, int axis, bool keepdim = false);

}  // namespace tapehead
