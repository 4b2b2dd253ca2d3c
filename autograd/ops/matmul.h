#pragma once

#include "autograd/tape.h"

namespace tapehead {

/// The matrix product y = op(a) op(b) of each pair of matrices, where op transposes the last two
/// dimensions if asked.
///
///   y_ij = sum_k op(a)_ik op(b)_kj
///   d op(a) = dy op(b)^T,  d op(b) = op(a)^T dy, summed over the repetitions of a broadcast
///
/// a: (..., m, k), or (..., k, m) transposed; b: (..., k, n), or (..., n, k) transposed; leading
/// dimensions broadcast under NumPy's rule; y: (..., m, n). Throws ShapeError if a rank is below 2
/// or the sizes do not fit. Keeps for backward: a, b.
template <typename Scalar>
Var<Scalar> matmul(const Var<Scalar>& a, const Var<Scalar>& b, bool transpose_a = false,
                   bool transpose_b = false);

}  // namespace tapehead
