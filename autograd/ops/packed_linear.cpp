#include "autograd/ops/packed_linear.h"

#include "autograd/ops/affine.h"

namespace tapehead {

template <typename Scalar, std::size_t n>
std::array<Var<Scalar>, n> packed_linear(const Var<Scalar>& x,
                                         const std::array<AffineMap<Scalar>, n>& maps) {
  std::array<Var<Scalar>, 1 + 2 * n> inputs = {x};
  std::size_t given = 1;
  for (const auto& [weight, bias] : maps) {
    detail::check_affine("packed_linear", x, weight, bias);
    inputs[given++] = weight;
    if (bias.defined()) inputs[given++] = bias;
  }
  std::array<Tensor<Scalar>, n> ys;
  for (std::size_t i = 0; i < n; ++i) {
    ys[i] = detail::affine_forward(x, maps[i].weight, maps[i].bias);
  }
  return x.tape().record_several(
      Op::packed_linear, std::move(ys), std::span(inputs).first(given),
      [x, maps](Tape<Scalar>& t, const std::array<Tensor<Scalar>, n>& dys) {
        for (std::size_t i = n; i-- > 0;) {
          if (!dys[i].defined()) continue;
          detail::affine_backward(t, x, maps[i].weight, maps[i].bias, dys[i]);
        }
      });
}

template std::array<Var<float>, 2> packed_linear(const Var<float>&,
                                                 const std::array<AffineMap<float>, 2>&);
template std::array<Var<float>, 3> packed_linear(const Var<float>&,
                                                 const std::array<AffineMap<float>, 3>&);
template std::array<Var<double>, 2> packed_linear(const Var<double>&,
                                                  const std::array<AffineMap<double>, 2>&);
template std::array<Var<double>, 3> packed_linear(const Var<double>&,
                                                  const std::array<AffineMap<double>, 3>&);

}  // namespace tapehead
