#include "autograd/ops/tanh.h"

#include "autograd/kernels/vector_math.h"
#include "autograd/ops/elementwise.h"

namespace tapehead {

template <typename Scalar>
Var<Scalar> tanh(const Var<Scalar>& x) {
  return detail::unary_op(
      Op::tanh, x, kernels::tanh<Scalar>,
      detail::each([](Scalar, Scalar y, Scalar dy) { return dy * (1 - y * y); }));
}

template Var<float> tanh(const Var<float>&);
template Var<double> tanh(const Var<double>&);

}  // namespace tapehead
