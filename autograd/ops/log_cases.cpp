#include "autograd/ops/log.h"
#include "autograd/ops/op_cases.h"

namespace tapehead::cases {

std::vector<GradCase> log_cases() {
  const auto f = [](auto in) { return log(in[0]); };
  return {
      grad_case("scalar", {uniform(Shape{}, 1, 0.3, 4.0)}, f),
      grad_case("matrix", {uniform({3, 5}, 2, 0.3, 4.0)}, f),
      grad_case("longer_than_a_vector", {uniform(Shape{37}, 3, 0.3, 4.0)}, f),
      grad_case("near_one", {uniform(Shape{8}, 4, 0.999, 1.001)}, f),
      grad_case("large", {uniform(Shape{8}, 5, 10.0, 500.0)}, f),
      grad_case("empty", {randn({0, 2}, 9)}, f),
  };
}

}  // namespace tapehead::cases
