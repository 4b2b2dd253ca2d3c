#include "autograd/ops/reshape.h"

namespace tapehead {

template <typename Scalar>
Var<Scalar> reshape(const Var<Scalar>& x, const Shape& shape) {
  return x.tape().record(Op::reshape, x.value().reshaped(shape), {x},
                         [x](Tape<Scalar>& t, const Tensor<Scalar>&, const Tensor<Scalar>& dy) {
                           t.add_grad(x, dy.reshaped(x.shape()));
                         });
}

template Var<float> reshape(const Var<float>&, const Shape&);
template Var<double> reshape(const Var<double>&, const Shape&);

}  // namespace tapehead
