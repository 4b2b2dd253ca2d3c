#include "autograd/ops/concat.h"

#include <utility>
#include <vector>

#include <fmt/format.h>
#include "autograd/kernels/axis.h"
#include "autograd/kernels/copy_rows.h"
#include "base/error.h"

namespace tapehead {

namespace {

template <typename Scalar>
Shape joined_shape(std::span<const Var<Scalar>> xs, int axis) {
  const Shape& first = xs[0].shape();
  Index length = 0;
  for (std::size_t i = 0; i < xs.size(); ++i) {
    const Shape& shape = xs[i].shape();
    if (shape.rank() != first.rank() || shape.with_dim(axis, 0) != first.with_dim(axis, 0)) {
      throw ShapeError(
          fmt::format("concat: input 0 has shape {}, input {} has shape {}; they must be equal but "
                      "for axis {}",
                      first.str(), i, shape.str(), axis));
    }
    length += shape[axis];
  }
  return first.with_dim(axis, length);
}

template <typename Scalar>
Tensor<Scalar> joined(std::span<const Var<Scalar>> xs, int axis) {
  Tensor<Scalar> y = xs[0].tape().allocate(joined_shape(xs, axis));
  const kernels::AxisView whole(y.shape(), axis);
  Index offset = 0;  // in a row of y, a row being `length` slices of `inner` numbers
  for (const Var<Scalar>& x : xs) {
    const Index row = x.shape()[axis] * whole.inner;
    kernels::copy_rows(x.value().data(), row, y.data() + offset, whole.length * whole.inner,
                       whole.outer, row);
    offset += row;
  }
  return y;
}

}  // namespace

template <typename Scalar>
Var<Scalar> concat(std::span<const Var<Scalar>> xs, int axis) {
  if (xs.empty()) throw ValueError("concat: there is no input; at least one is needed");
  axis = xs[0].shape().normalized_axis("concat", axis);
  const std::vector<Var<Scalar>> parts(xs.begin(), xs.end());
  return xs[0].tape().record(
      Op::concat, joined(xs, axis), xs,
      [parts, axis](Tape<Scalar>& t, const Tensor<Scalar>&, const Tensor<Scalar>& dy) {
        const kernels::AxisView whole(dy.shape(), axis);
        Index offset = 0;
        for (const Var<Scalar>& x : parts) {
          const Index row = x.shape()[axis] * whole.inner;
          Tensor<Scalar> dx = t.allocate(x.shape());
          kernels::copy_rows(dy.data() + offset, whole.length * whole.inner, dx.data(), row,
                             whole.outer, row);
          t.add_grad(x, std::move(dx));
          offset += row;
        }
      });
}

template Var<float> concat(std::span<const Var<float>>, int);
template Var<double> concat(std::span<const Var<double>>, int);

}  // namespace tapehead
