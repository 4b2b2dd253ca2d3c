#pragma once

#include "autograd/tape.h"

namespace tapehead {

/// Largest element.
///
///   y    = max_i x_i
///   dx_i = dy for the first i with x_i = y, else 0
///
/// x: any shape with at least one element; y: a scalar. Of several equal elements the first, in
/// row-major order, gets the whole gradient (PyTorch shares it out when it reduces all elements). A
/// NaN counts as the largest. Throws ValueError if x is empty. Keeps for backward: x, y.
template <typename Scalar>
Var<Scalar> max(const Var<Scalar>& x);

/// Largest element along `axis`, which disappears, or stays with size 1 if `keepdim`; elsewhere as
/// above. Throws ShapeError if `axis` does not exist, ValueError if its size is 0.
template <typename Scalar>
Var<Scalar> max(const Var<Scalar>& x, int axis, bool keepdim = false);

}  // namespace tapehead
