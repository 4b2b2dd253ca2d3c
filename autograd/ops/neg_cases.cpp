#include "autograd/ops/neg.h"
#include "autograd/ops/op_cases.h"

namespace tapehead::cases {

std::vector<GradCase> neg_cases() {
  const auto f = [](auto in) { return neg(in[0]); };
  return {
      grad_case("scalar", {randn(Shape{}, 1)}, f),
      grad_case("matrix", {randn({3, 5}, 2)}, f),
      grad_case("longer_than_a_vector", {randn(Shape{37}, 3)}, f),

      grad_case("empty", {randn({0, 2}, 9)}, f),
  };
}

}  // namespace tapehead::cases
