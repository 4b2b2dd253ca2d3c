#include "autograd/ops/softplus.h"

#include "autograd/kernels/activation.h"
#include "autograd/ops/elementwise.h"

namespace tapehead {

template <typename Scalar>
Var<Scalar> softplus(const Var<Scalar>& x) {
  return detail::unary_op(Op::softplus, x, kernels::softplus<Scalar>,
                          [](const Scalar* in, const Scalar*, const Scalar* dy, Scalar* dx,
                             Index n) { kernels::softplus_backward(in, dy, dx, n); });
}

template Var<float> softplus(const Var<float>&);
template Var<double> softplus(const Var<double>&);

}  // namespace tapehead
