#pragma once

#include "autograd/tape.h"

namespace tapehead {

/// Which form of the normal distribution gelu() uses.
enum class GeluKind {
  exact,  ///< the error function
  tanh    ///< the approximation of GPT-2
};

/// Gaussian error linear unit (Hendrycks and Gimpel 2016).
///
///   exact:  y  = x Phi(x),  Phi(x) = (1 + erf(x / sqrt 2)) / 2
///           dx = dy (Phi(x) + x phi(x)),  phi(x) = exp(-x^2 / 2) / sqrt(2 pi)
///   tanh:   y  = x (1 + tanh u) / 2,  u = sqrt(2 / pi) (x + 0.044715 x^3)
///           dx = dy (1 + tanh u + x (1 - tanh^2 u) u') / 2
///
/// x: any shape; y: the same. Keeps for backward: x.
template <typename Scalar>
Var<Scalar> gelu(const Var<Scalar>& x, GeluKind kind = GeluKind::exact);

}  // namespace tapehead
