#include "autograd/ops/relu.h"

#include "autograd/ops/elementwise.h"

namespace tapehead {

template <typename Scalar>
Var<Scalar> relu(const Var<Scalar>& x) {
  // Written so that a NaN, for which every comparison is false, passes through.
  return detail::unary_op(
      Op::relu, x, detail::each([](Scalar v) { return v <= 0 ? Scalar(0) : v; }),
      detail::each([](Scalar, Scalar y, Scalar dy) { return y <= 0 ? Scalar(0) : dy; }));
}

template Var<float> relu(const Var<float>&);
template Var<double> relu(const Var<double>&);

}  // namespace tapehead
