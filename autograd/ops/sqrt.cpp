#include "autograd/ops/sqrt.h"

#include "autograd/kernels/vector_math.h"
#include "autograd/ops/elementwise.h"

namespace tapehead {

template <typename Scalar>
Var<Scalar> sqrt(const Var<Scalar>& x) {
  return detail::unary_op(Op::sqrt, x, kernels::sqrt<Scalar>,
                          detail::each([](Scalar, Scalar y, Scalar dy) { return dy / (2 * y); }));
}

template Var<float> sqrt(const Var<float>&);
template Var<double> sqrt(const Var<double>&);

}  // namespace tapehead
