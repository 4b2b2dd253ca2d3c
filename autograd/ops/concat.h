#pragma once

#include <initializer_list>
#include <span>

#include "autograd/tape.h"

namespace tapehead {

/// Joins arrays along `axis`.
///
///   y       = x_1, x_2, ... one after the other along `axis`
///   d(x_i)  = the part of dy where x_i went
///
/// xs: at least one; equal shapes but for `axis`, along which the sizes add up. Throws ValueError
/// if there is none, ShapeError if the shapes do not fit or the axis does not exist. Keeps for
/// backward: nothing.
template <typename Scalar>
Var<Scalar> concat(std::span<const Var<Scalar>> xs, int axis);

/// The same: concat({a, b}, 0).
template <typename Scalar>
Var<Scalar> concat(std::initializer_list<Var<Scalar>> xs, int axis) {
  return concat(std::span<const Var<Scalar>>(xs.begin(), xs.size()), axis);
}

}  // namespace tapehead
