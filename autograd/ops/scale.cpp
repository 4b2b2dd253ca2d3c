#include "autograd/ops/scale.h"

#include "autograd/ops/elementwise.h"

namespace tapehead {

template <typename Scalar>
Var<Scalar> scale(const Var<Scalar>& x, double factor) {
  const auto times = static_cast<Scalar>(factor);
  return detail::unary_op(Op::scale, x, detail::each([times](Scalar v) { return times * v; }),
                          detail::each([times](Scalar, Scalar, Scalar dy) { return times * dy; }));
}

template Var<float> scale(const Var<float>&, double);
template Var<double> scale(const Var<double>&, double);

}  // namespace tapehead
