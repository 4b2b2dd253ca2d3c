#include "autograd/ops/log.h"

#include "autograd/kernels/vector_math.h"
#include "autograd/ops/elementwise.h"

namespace tapehead {

template <typename Scalar>
Var<Scalar> log(const Var<Scalar>& x) {
  return detail::unary_op(Op::log, x, kernels::log<Scalar>,
                          detail::each([](Scalar v, Scalar, Scalar dy) { return dy / v; }));
}

template Var<float> log(const Var<float>&);
template Var<double> log(const Var<double>&);

}  // namespace tapehead
