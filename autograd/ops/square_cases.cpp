#include "autograd/ops/op_cases.h"
#include "autograd/ops/square.h"

namespace tapehead::cases {

std::vector<GradCase> square_cases() {
  const auto f = [](auto in) { return square(in[0]); };
  return {
      grad_case("scalar", {randn(Shape{}, 1)}, f),
      grad_case("matrix", {randn({3, 5}, 2)}, f),
      grad_case("longer_than_a_vector", {randn(Shape{37}, 3)}, f),
      grad_case("large", {randn(Shape{8}, 4, 100.0)}, f),
      grad_case("empty", {randn({0, 2}, 9)}, f),
  };
}

}  // namespace tapehead::cases
