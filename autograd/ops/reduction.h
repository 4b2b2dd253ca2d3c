#pragma once

#include <utility>

#include <fmt/format.h>

#include "autograd/kernels/reduce_axis.h"
#include "autograd/tape.h"
#include "base/error.h"

// What the ops share that reduce one axis, or all elements, to one number.

namespace tapehead::detail {

/// What is reduced, and the shape of what is left.
struct Reduction {
  kernels::AxisView view;
  Shape result;
};

/// All elements to a scalar.
inline Reduction reduce_all(const Shape& x) {
  return {kernels::AxisView(Shape{x.size()}, 0), Shape{}};
}

/// Each slice along `axis` to one number. Throws ShapeError, in the name of `op`, if there is no
/// such axis.
inline Reduction reduce_axis(Op op, const Shape& x, int axis, bool keepdim) {
  axis = x.normalized_axis(op_name(op), axis);
  return {kernels::AxisView(x, axis), keepdim ? x.with_dim(axis, 1) : x.without_dim(axis)};
}

/// A mean or a maximum of nothing does not exist: throws ValueError, in the name of `op`.
inline void check_not_empty(Op op, const Shape& x, const Reduction& over) {
  if (over.view.length > 0 || over.result.size() == 0) return;
  throw ValueError(
      fmt::format("{}: x has shape {}, so there is nothing to reduce; at least one "
                  "element is needed",
                  op_name(op), x.str()));
}

/// Records y = sum / divisor, dx = dy / divisor.
template <typename Scalar>
Var<Scalar> divided_sum(Op op, const Var<Scalar>& x, const Reduction& over, Scalar divisor) {
  Tape<Scalar>& tape = x.tape();
  Tensor<Scalar> y = tape.allocate(over.result);
  kernels::sum_axis(over.view, x.value().data(), y.data(), divisor, tape.threads());
  return tape.record(op, y, {x},
                     [x, view = over.view, divisor](Tape<Scalar>& t, const Tensor<Scalar>&,
                                                    const Tensor<Scalar>& dy) {
                       Tensor<Scalar> dx = t.allocate(x.shape());
                       kernels::sum_axis_backward(view, dy.data(), dx.data(), divisor, t.threads());
                       t.add_grad(x, std::move(dx));
                     });
}

}  // namespace tapehead::detail
