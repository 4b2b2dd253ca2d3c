#include "autograd/ops/exp.h"
#include "autograd/ops/op_cases.h"

namespace tapehead::cases {

std::vector<GradCase> exp_cases() {
  const auto f = [](auto in) { return exp(in[0]); };
  return {
      grad_case("scalar", {randn(Shape{}, 1)}, f),
      grad_case("matrix", {randn({3, 5}, 2)}, f),
      grad_case("longer_than_a_vector", {randn(Shape{37}, 3)}, f),
      grad_case("near_zero", {randn(Shape{8}, 4, 1e-4)}, f),
      grad_case("large", {uniform(Shape{8}, 5, 2.0, 5.0)}, f),
      grad_case("tiny_results", {uniform(Shape{8}, 6, -30.0, -15.0)}, f).expecting_zero_gradient(),
      grad_case("empty", {randn({0, 2}, 9)}, f),
  };
}

}  // namespace tapehead::cases
