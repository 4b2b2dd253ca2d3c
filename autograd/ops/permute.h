#pragma once

#include <initializer_list>
#include <span>

#include "autograd/tape.h"

namespace tapehead {

/// The dimensions in another order: dimension d of y is dimension axes[d] of x.
///
///   y  = x with its dimensions permuted
///   dx = dy with its dimensions permuted back
///
/// x: any shape; axes: each dimension of x once, negative ones counted from the end. Throws
/// ShapeError if `axes` is no permutation of x's dimensions. Keeps for backward: nothing.
template <typename Scalar>
Var<Scalar> permute(const Var<Scalar>& x, std::span<const int> axes);

/// The same: permute(x, {0, 2, 1}).
template <typename Scalar>
Var<Scalar> permute(const Var<Scalar>& x, std::initializer_list<int> axes) {
  return permute(x, std::span<const int>(axes.begin(), axes.size()));
}

}  // namespace tapehead
