#include "autograd/ops/sub.h"

#include "autograd/ops/elementwise.h"

namespace tapehead {

template <typename Scalar>
Var<Scalar> sub(const Var<Scalar>& a, const Var<Scalar>& b) {
  const Shape shape = broadcast_shapes("sub", a.shape(), b.shape());
  const kernels::Broadcast plan(a.shape(), b.shape(), shape);
  return a.tape().record(
      Op::sub, detail::binary_values(plan, shape, a, b, [](Scalar l, Scalar r) { return l - r; }),
      {a, b}, [a, b, plan](Tape<Scalar>& t, const Tensor<Scalar>&, const Tensor<Scalar>& dy) {
        detail::add_broadcast_grad(t, a, dy);
        if (!b.requires_grad()) return;
        const auto minus = [](Scalar, Scalar, Scalar slope) { return -slope; };
        detail::add_broadcast_grad(t, b, detail::binary_slope(t, plan, a, b, dy, minus));
      });
}

template Var<float> sub(const Var<float>&, const Var<float>&);
template Var<double> sub(const Var<double>&, const Var<double>&);

}  // namespace tapehead
