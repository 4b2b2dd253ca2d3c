#include "autograd/ops/op_cases.h"
#include "autograd/ops/relu.h"

namespace tapehead::cases {

std::vector<GradCase> relu_cases() {
  const auto f = [](auto in) { return relu(in[0]); };
  const auto off_kink = [](const Shape& shape, std::uint64_t seed) {
    return keep_away_from(0, 0.01, randn(shape, seed));
  };
  return {
      grad_case("matrix", {off_kink({3, 5}, 1)}, f),
      grad_case("longer_than_a_vector", {off_kink(Shape{37}, 2)}, f),
      grad_case("all_positive", {uniform(Shape{4}, 3, 0.5, 9.0)}, f),
      grad_case("all_negative", {uniform(Shape{4}, 4, -9.0, -0.5)}, f).expecting_zero_gradient(),
      grad_case("empty", {randn({0, 2}, 5)}, f),
  };
}

}  // namespace tapehead::cases
