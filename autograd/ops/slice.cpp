#include "autograd/ops/slice.h"

#include <fmt/format.h>
#include "autograd/kernels/axis.h"
#include "autograd/kernels/copy_rows.h"
#include "base/error.h"

namespace tapehead {

template <typename Scalar>
Var<Scalar> slice(const Var<Scalar>& x, int axis, Index begin, Index end) {
  axis = x.shape().normalized_axis("slice", axis);
  const kernels::AxisView view(x.shape(), axis);
  if (begin < 0 || begin > end || end > view.length) {
    throw ValueError(
        fmt::format("slice: [{}, {}) of axis {} of shape {}; 0 <= begin <= end <= {} is needed",
                    begin, end, axis, x.shape().str(), view.length));
  }
  const Index row = (end - begin) * view.inner;
  const Index x_row = view.length * view.inner;
  const Index offset = begin * view.inner;
  Tensor<Scalar> y = x.tape().allocate(x.shape().with_dim(axis, end - begin));
  kernels::copy_rows(x.value().data() + offset, x_row, y.data(), row, view.outer, row);
  return x.tape().record(Op::slice, y, {x},
                         [x, rows = view.outer, row, x_row, offset](
                             Tape<Scalar>& t, const Tensor<Scalar>&, const Tensor<Scalar>& dy) {
                           t.accumulate(x, [&](Scalar* sum) {
                             kernels::add_rows(dy.data(), row, sum + offset, x_row, rows, row);
                           });
                         });
}

template Var<float> slice(const Var<float>&, int, Index, Index);
template Var<double> slice(const Var<double>&, int, Index, Index);

}  // namespace tapehead
