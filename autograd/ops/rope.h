#pragma once

#include "autograd/tape.h"

namespace tapehead {

/// Which numbers of a head's vector are rotated together.
enum class RopePairs {
  kNeighbours,  ///< (2i, 2i + 1), as in the paper
  kHalves       ///< (i, i + d/2), as in GPT-NeoX and Llama's published weights
};

/// The rotations of positions first .. first + n - 1 for heads of even width d: in each row cos and
/// sin of p * theta_i, alternating, with theta_i = base^(-2i/d), i = 0 .. d/2 - 1. Shape (n, d).
/// Throws ValueError, naming the width, if d is odd.
template <typename Scalar>
Tensor<Scalar> rope_table(Index n, Index d, Index first = 0, double base = 10000.0);

/// Rotary positions (Su et al. 2021, equations 15 and 34): rotates each pair (a, b) of each head of
/// a query or key by the angle of its position.
///
///   ya = xa cos - xb sin     yb = xa sin + xb cos
///   dxa = dya cos + dyb sin  dxb = dyb cos - dya sin
///
/// The dot product of a query and a key so rotated depends on the difference of their positions
/// alone. x: (batch, n, heads * d); table: (n, d), of rope_table(); y: as x. Throws ShapeError if
/// they do not fit. Keeps for backward: the table.
template <typename Scalar>
Var<Scalar> rope(const Var<Scalar>& x, const Tensor<Scalar>& table,
                 RopePairs pairs = RopePairs::kNeighbours);

}  // namespace tapehead
