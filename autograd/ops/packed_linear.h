#pragma once

#include <array>
#include <cstddef>

#include "autograd/tape.h"

namespace tapehead {

/// The weight and the bias of one affine map; no bias if that is empty.
template <typename Scalar>
struct AffineMap {
  Var<Scalar> weight, bias;
};

/// Several affine maps of one input, as queries, keys and values are: y_i = x W_i^T + b_i.
///
///   dx = sum_i dy_i W_i,  dW_i = dy_i^T x,  db_i = sum of the rows of dy_i
///
/// The same bits as linear() for each map in turn: dx is added up from the last map to the first. A
/// result that the loss does not depend on costs no backward pass.
///
/// x: (..., in); weights: (out_i, in); biases: (out_i); results: (..., out_i). Throws ShapeError if
/// they do not fit. Keeps for backward: x, the weights. n: 2 or 3.
template <typename Scalar, std::size_t n>
std::array<Var<Scalar>, n> packed_linear(const Var<Scalar>& x,
                                         const std::array<AffineMap<Scalar>, n>& maps);

}  // namespace tapehead
