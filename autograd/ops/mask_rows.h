#pragma once

#include <cstdint>

#include "autograd/tape.h"

namespace tapehead {

/// Keeps some rows (along the last axis) and sets the others to zero.
///
///   y_r = x_r where keep_r != 0, else exactly 0
///   dx_r = dy_r where keep_r != 0, else exactly 0
///
/// x: (..., n); keep: the same shape without n; y: as x. What stands in a dropped row of x or dy,
/// NaN included, reaches nothing. Throws ShapeError if the shapes do not fit. Keeps for backward:
/// keep.
template <typename Scalar>
Var<Scalar> mask_rows(const Var<Scalar>& x, const Tensor<std::uint8_t>& keep);

}  // namespace tapehead
