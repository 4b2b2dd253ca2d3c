#include "autograd/ops/square.h"

#include "autograd/ops/elementwise.h"

namespace tapehead {

template <typename Scalar>
Var<Scalar> square(const Var<Scalar>& x) {
  return detail::unary_op(Op::square, x, detail::each([](Scalar v) { return v * v; }),
                          detail::each([](Scalar v, Scalar, Scalar dy) { return 2 * v * dy; }));
}

template Var<float> square(const Var<float>&);
template Var<double> square(const Var<double>&);

}  // namespace tapehead
