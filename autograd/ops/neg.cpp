#include "autograd/ops/neg.h"

#include "autograd/ops/elementwise.h"

namespace tapehead {

template <typename Scalar>
Var<Scalar> neg(const Var<Scalar>& x) {
  return detail::unary_op(Op::neg, x, detail::each([](Scalar v) { return -v; }),
                          detail::each([](Scalar, Scalar, Scalar dy) { return -dy; }));
}

template Var<float> neg(const Var<float>&);
template Var<double> neg(const Var<double>&);

}  // namespace tapehead
