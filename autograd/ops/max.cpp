#include "autograd/ops/max.h"

#include "autograd/ops/reduction.h"

namespace tapehead {

namespace {

template <typename Scalar>
Var<Scalar> max_over(const Var<Scalar>& x, const detail::Reduction& over) {
  detail::check_not_empty(Op::max, x.shape(), over);
  Tape<Scalar>& tape = x.tape();
  Tensor<Scalar> y = tape.allocate(over.result);
  kernels::max_axis(over.view, x.value().data(), y.data(), tape.threads());
  return tape.record(
      Op::max, y, {x},
      [x, view = over.view](Tape<Scalar>& t, const Tensor<Scalar>& out, const Tensor<Scalar>& dy) {
        Tensor<Scalar> dx = t.allocate_zeros(x.shape());
        kernels::max_axis_backward(view, x.value().data(), out.data(), dy.data(), dx.data(),
                                   t.threads());
        t.add_grad(x, std::move(dx));
      });
}

}  // namespace

template <typename Scalar>
Var<Scalar> max(const Var<Scalar>& x) {
  return max_over(x, detail::reduce_all(x.shape()));
}

template <typename Scalar>
Var<Scalar> max(const Var<Scalar>& x, int axis, bool keepdim) {
  return max_over(x, detail::reduce_axis(Op::max, x.shape(), axis, keepdim));
}

template Var<float> max(const Var<float>&);
template Var<double> max(const Var<double>&);
template Var<float> max(const Var<float>&, int, bool);
template Var<double> max(const Var<double>&, int, bool);

}  // namespace tapehead
