#include "autograd/ops/exp.h"

#include "autograd/kernels/vector_math.h"
#include "autograd/ops/elementwise.h"

namespace tapehead {

template <typename Scalar>
Var<Scalar> exp(const Var<Scalar>& x) {
  return detail::unary_op(Op::exp, x, kernels::exp<Scalar>,
                          detail::each([](Scalar, Scalar y, Scalar dy) { return dy * y; }));
}

template Var<float> exp(const Var<float>&);
template Var<double> exp(const Var<double>&);

}  // namespace tapehead
