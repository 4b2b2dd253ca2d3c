#pragma once

#include "autograd/tape.h"

namespace tapehead {

/// Logarithm of the sum of exponentials along `axis`, which disappears, or stays with size 1 if
/// `keepdim`.
///
///   y    = m + log sum_j exp(x_j - m),  m = max_j x_j
///   dx_i = dy exp(x_i - y)
///
/// x: rank >= 1; no overflow for any finite x. A slice of only -inf, or an empty one, gives -inf,
/// and gradient zero; a slice with +inf gives +inf, and gradient NaN there. Throws ShapeError if
/// `axis` does not exist. Keeps for backward: x, y.
template <typename Scalar>
Var<Scalar> logsumexp(const Var<Scalar>& x, int axis = -1, bool keepdim = false);

}  // namespace tapehead
