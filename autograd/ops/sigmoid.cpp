#include "autograd/ops/sigmoid.h"

#include "autograd/kernels/vector_math.h"
#include "autograd/ops/elementwise.h"

namespace tapehead {

template <typename Scalar>
Var<Scalar> sigmoid(const Var<Scalar>& x) {
  return detail::unary_op(
      Op::sigmoid, x, kernels::sigmoid<Scalar>,
      detail::each([](Scalar, Scalar y, Scalar dy) { return dy * y * (1 - y); }));
}

template Var<float> sigmoid(const Var<float>&);
template Var<double> sigmoid(const Var<double>&);

}  // namespace tapehead
