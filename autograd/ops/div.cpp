#include "autograd/ops/div.h"

#include "autograd/ops/elementwise.h"

namespace tapehead {

template <typename Scalar>
Var<Scalar> div(const Var<Scalar>& a, const Var<Scalar>& b) {
  return detail::binary_op(
      Op::div, a, b, [](Scalar l, Scalar r) { return l / r; },
      [](Scalar, Scalar r, Scalar dy) { return dy / r; },
      [](Scalar l, Scalar r, Scalar dy) { return -dy * (l / r) / r; });
}

template Var<float> div(const Var<float>&, const Var<float>&);
template Var<double> div(const Var<double>&, const Var<double>&);

}  // namespace tapehead
