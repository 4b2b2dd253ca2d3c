#pragma once

#include "autograd/tape.h"

namespace tapehead {

/// The same numbers under another shape; nothing is copied.
///
///   y  = x,  dx = dy, in row-major order
///
/// x: any shape; y: `shape`. Throws ShapeError if the shapes hold different numbers of elements.
/// Keeps for backward: nothing.
template <typename Scalar>
Var<Scalar> reshape(const Var<Scalar>& x, const Shape& shape);

}  // namespace tapehead
