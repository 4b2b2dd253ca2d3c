#include "autograd/ops/linear.h"

#include <array>

#include "autograd/ops/affine.h"

namespace tapehead {

template <typename Scalar>
Var<Scalar> linear(const Var<Scalar>& x, const Var<Scalar>& weight, const Var<Scalar>& bias) {
  detail::check_affine("linear", x, weight, bias);
  const std::array<Var<Scalar>, 3> inputs = {x, weight, bias};
  return x.tape().record(
      Op::linear, detail::affine_forward(x, weight, bias),
      std::span(inputs).first(bias.defined() ? 3 : 2),
      [x, weight, bias](Tape<Scalar>& t, const Tensor<Scalar>& /*y*/, const Tensor<Scalar>& dy) {
        detail::affine_backward(t, x, weight, bias, dy);
      });
}

template Var<float> linear(const Var<float>&, const Var<float>&, const Var<float>&);
template Var<double> linear(const Var<double>&, const Var<double>&, const Var<double>&);

}  // namespace tapehead
