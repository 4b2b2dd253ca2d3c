#include "autograd/ops/add.h"

#include "autograd/ops/elementwise.h"

namespace tapehead {

template <typename Scalar>
Var<Scalar> add(const Var<Scalar>& a, const Var<Scalar>& b) {
  const Shape shape = broadcast_shapes("add", a.shape(), b.shape());
  const kernels::Broadcast plan(a.shape(), b.shape(), shape);
  return a.tape().record(
      Op::add, detail::binary_values(plan, shape, a, b, [](Scalar l, Scalar r) { return l + r; }),
      {a, b}, [a, b](Tape<Scalar>& t, const Tensor<Scalar>&, const Tensor<Scalar>& dy) {
        detail::add_broadcast_grad(t, a, dy);
        detail::add_broadcast_grad(t, b, dy);
      });
}

template Var<float> add(const Var<float>&, const Var<float>&);
template Var<double> add(const Var<double>&, const Var<double>&);

}  // namespace tapehead
