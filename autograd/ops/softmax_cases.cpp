#include "autograd/ops/op_cases.h"
#include "autograd/ops/softmax.h"

namespace tapehead::cases {

std::vector<GradCase> softmax_cases() {
  const auto last = [](auto in) { return softmax(in[0]); };
  const auto middle = [](auto in) { return softmax(in[0], 1); };
  return {
      grad_case("vector", {randn({5}, 1)}, last),
      grad_case("batch_of_matrices", {randn({2, 3, 4}, 2)}, last),
      grad_case("middle_axis", {randn({2, 3, 4}, 3)}, middle),
      grad_case("longer_than_a_vector", {randn({2, 37}, 4)}, last),
      grad_case("saturated", {randn({3, 6}, 5, 4.0)}, last),
      grad_case("one_column", {randn({3, 1}, 6)}, last).expecting_zero_gradient(),
      grad_case("no_rows", {randn({0, 4}, 7)}, last),
  };
}

}  // namespace tapehead::cases
