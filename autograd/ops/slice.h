#pragma once

#include "autograd/tape.h"

namespace tapehead {

/// Elements [begin, end) along `axis`.
///
///   y  = x restricted to them
///   dx = dy there, 0 elsewhere
///
/// x: rank >= 1; y: the same but for `axis`, whose size is end - begin. Throws ShapeError if the
/// axis does not exist, ValueError unless 0 <= begin <= end <= its size. Keeps for backward:
/// nothing.
template <typename Scalar>
Var<Scalar> slice(const Var<Scalar>& x, int axis, Index begin, Index end);

}  // namespace tapehead
