#include "autograd/ops/silu.h"

#include "autograd/kernels/activation.h"
#include "autograd/ops/elementwise.h"

namespace tapehead {

template <typename Scalar>
Var<Scalar> silu(const Var<Scalar>& x) {
  return detail::unary_op(Op::silu, x, kernels::silu<Scalar>,
                          [](const Scalar* in, const Scalar*, const Scalar* dy, Scalar* dx,
                             Index n) { kernels::silu_backward(in, dy, dx, n); });
}

template Var<float> silu(const Var<float>&);
template Var<double> silu(const Var<double>&);

}  // namespace tapehead
