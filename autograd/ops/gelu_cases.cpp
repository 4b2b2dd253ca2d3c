#include "autograd/ops/gelu.h"
#include "autograd/ops/op_cases.h"

namespace tapehead::cases {

std::vector<GradCase> gelu_cases() {
  const auto exact = [](auto in) { return gelu(in[0]); };
  const auto by_tanh = [](auto in) { return gelu(in[0], GeluKind::tanh); };
  return {
      grad_case("exact_matrix", {randn({3, 5}, 1)}, exact),
      grad_case("exact_longer_than_a_vector", {randn(Shape{37}, 2, 2.0)}, exact),
      grad_case("exact_near_zero", {randn(Shape{6}, 3, 1e-4)}, exact),
      grad_case("exact_large", {uniform(Shape{6}, 4, 6.0, 30.0)}, exact),
      grad_case("exact_very_negative", {uniform(Shape{6}, 5, -30.0, -7.0)}, exact)
          .expecting_zero_gradient(),
      grad_case("tanh_matrix", {randn({3, 5}, 6)}, by_tanh),
      grad_case("tanh_longer_than_a_vector", {randn(Shape{37}, 7, 2.0)}, by_tanh),
      grad_case("tanh_near_zero", {randn(Shape{6}, 8, 1e-4)}, by_tanh),
      grad_case("tanh_large", {uniform(Shape{6}, 9, 6.0, 30.0)}, by_tanh),
      grad_case("tanh_very_negative", {uniform(Shape{6}, 10, -30.0, -7.0)}, by_tanh)
          .expecting_zero_gradient(),
      grad_case("empty", {randn({0, 2}, 11)}, exact),
  };
}

}  // namespace tapehead::cases
