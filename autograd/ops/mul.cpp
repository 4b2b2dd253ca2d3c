#include "autograd/ops/mul.h"

#include "autograd/ops/elementwise.h"

namespace tapehead {

template <typename Scalar>
Var<Scalar> mul(const Var<Scalar>& a, const Var<Scalar>& b) {
  return detail::binary_op(
      Op::mul, a, b, [](Scalar l, Scalar r) { return l * r; },
      [](Scalar, Scalar r, Scalar dy) { return dy * r; },
      [](Scalar l, Scalar, Scalar dy) { return dy * l; });
}

template Var<float> mul(const Var<float>&, const Var<float>&);
template Var<double> mul(const Var<double>&, const Var<double>&);

}  // namespace tapehead
