#pragma once

#include <cstdint>

#include "autograd/tape.h"

namespace tapehead {

/// In training, sets each number to 0 with probability p and scales the others.
///
///   y_i = x_i m_i,  dx_i = dy_i m_i,  m_i = 0 with probability p, else 1 / (1 - p)
///
/// The mask is a function of the tape's context (seed, step, first_row), `layer_id` (which tells
/// the uses of dropout in a model apart) and the element's index in the whole batch, rows being
/// counted along the first dimension: it is the same however the batch is cut into shards. Without
/// training or with p = 0, y is x itself. Throws ValueError unless p is in [0, 1). Keeps for
/// backward: m.
template <typename Scalar>
Var<Scalar> dropout(const Var<Scalar>& x, double p, std::uint32_t layer_id);

}  // namespace tapehead
