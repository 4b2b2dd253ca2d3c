#include "autograd/ops/logsumexp.h"

#include "autograd/ops/reduction.h"

namespace tapehead {

template <typename Scalar>
Var<Scalar> logsumexp(const Var<Scalar>& x, int axis, bool keepdim) {
  const detail::Reduction over = detail::reduce_axis(Op::logsumexp, x.shape(), axis, keepdim);
  Tape<Scalar>& tape = x.tape();
  Tensor<Scalar> y = tape.allocate(over.result);
  kernels::logsumexp_axis(over.view, x.value().data(), y.data(), tape.threads());
  return tape.record(
      Op::logsumexp, y, {x},
      [x, view = over.view](Tape<Scalar>& t, const Tensor<Scalar>& out, const Tensor<Scalar>& dy) {
        Tensor<Scalar> dx = t.allocate(x.shape());
        kernels::logsumexp_axis_backward(view, x.value().data(), out.data(), dy.data(), dx.data(),
                                         t.threads());
        t.add_grad(x, std::move(dx));
      });
}

template Var<float> logsumexp(const Var<float>&, int, bool);
template Var<double> logsumexp(const Var<double>&, int, bool);

}  // namespace tapehead
