#include "autograd/ops/op_cases.h"
#include "autograd/ops/sigmoid.h"

namespace tapehead::cases {

std::vector<GradCase> sigmoid_cases() {
  const auto f = [](auto in) { return sigmoid(in[0]); };
  return {
      grad_case("scalar", {randn(Shape{}, 1)}, f),
      grad_case("matrix", {randn({3, 5}, 2)}, f),
      grad_case("longer_than_a_vector", {randn(Shape{37}, 3)}, f),
      grad_case("near_zero", {randn(Shape{8}, 4, 1e-4)}, f),
      grad_case("saturated", {uniform(Shape{8}, 5, 20.0, 90.0)}, f).expecting_zero_gradient(),
      grad_case("saturated_below", {uniform(Shape{8}, 6, -90.0, -20.0)}, f)
          .expecting_zero_gradient(),
      grad_case("empty", {randn({0, 2}, 9)}, f),
  };
}

}  // namespace tapehead::cases
