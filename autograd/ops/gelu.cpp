#include "autograd/ops/gelu.h"

#include "autograd/kernels/activation.h"
#include "autograd/ops/elementwise.h"

namespace tapehead {

namespace {

template <typename Scalar, typename Forward, typename Backward>
Var<Scalar> gelu_by(const Var<Scalar>& x, Forward forward, Backward backward) {
  return detail::unary_op(Op::gelu, x, forward,
                          [backward](const Scalar* in, const Scalar*, const Scalar* dy, Scalar* dx,
                                     Index n) { backward(in, dy, dx, n); });
}

}  // namespace

template <typename Scalar>
Var<Scalar> gelu(const Var<Scalar>& x, GeluKind kind) {
  if (kind == GeluKind::exact) {
    return gelu_by(x, kernels::gelu_exact<Scalar>, kernels::gelu_exact_backward<Scalar>);
  }
  return gelu_by(x, kernels::gelu_tanh<Scalar>, kernels::gelu_tanh_backward<Scalar>);
}

template Var<float> gelu(const Var<float>&, GeluKind);
template Var<double> gelu(const Var<double>&, GeluKind);

}  // namespace tapehead
