#pragma once

#include <cstdint>

#include "autograd/tape.h"

namespace tapehead {

/// Softmax over the last axis, among the places that a mask allows.
///
///   y_i  = m_i exp(x_i - max) / sum_j m_j exp(x_j - max),  max over the allowed places
///   dx_i = y_i (dy_i - sum_j y_j dy_j), the sum over the allowed places
///
/// x: (..., n); mask: 1 = may attend, 0 = masked, of a shape that broadcasts to x's; y: as x. At
/// masked places y and dx are exactly 0 whatever x and dy hold there, NaN included; a wholly masked
/// row is all zeros. Throws ShapeError if the mask does not broadcast to x or x is a scalar. Keeps
/// for backward: y, mask.
template <typename Scalar>
Var<Scalar> masked_softmax(const Var<Scalar>& x, const Tensor<std::uint8_t>& mask);

}  // namespace tapehead
