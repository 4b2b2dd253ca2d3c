#pragma once

#include "autograd/tape.h"

namespace tapehead {

/// A weight matrix whose spectral norm is a parameter (Zhai et al. 2023):
///
///   y      = gamma / sigma W,   sigma = u^T W v, the largest singular value of W
///   dgamma = sum(dy W) / sigma
///   dW     = gamma / sigma (dy - (sum(dy W) / sigma) u v^T)
///
/// u and v are found by power iteration from the longest row of W, until v stands still, and are
/// constants in the backward pass, as in the paper. At convergence this is the exact gradient,
/// because the first derivative of u^T W v with respect to unit vectors u and v is zero there; the
/// paper takes one iteration a training step from the last step's vectors, which a restart would
/// have to remember.
///
/// weight: (rows, columns); gamma: (); y: as weight. A matrix of zeros gives zeros, with zero
/// gradients. Throws ShapeError if the shapes do not fit. Keeps for backward: weight, u, v.
template <typename Scalar>
Var<Scalar> sigma_reparam(const Var<Scalar>& weight, const Var<Scalar>& gamma);

}  // namespace tapehead
