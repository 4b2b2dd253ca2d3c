#include "autograd/ops/logsumexp.h"
#include "autograd/ops/op_cases.h"

namespace tapehead::cases {

std::vector<GradCase> logsumexp_cases() {
  const auto last = [](auto in) { return logsumexp(in[0]); };
  return {
      grad_case("vector", {randn(Shape{5}, 1)}, last),
      grad_case("last_axis", {randn({3, 5}, 2)}, last),
      grad_case("first_axis", {randn({3, 5}, 3)}, [](auto in) { return logsumexp(in[0], 0); }),
      grad_case("middle_axis_kept", {randn({2, 3, 4}, 4)},
                [](auto in) { return logsumexp(in[0], 1, true); }),
      grad_case("one_column", {randn({3, 1}, 5)}, last),
      grad_case("longer_than_a_vector", {randn({1, 41}, 6)}, last),
      grad_case("saturated", {randn({2, 6}, 7, 4.0)}, last),
      grad_case("no_rows", {randn({0, 4}, 8)}, last),
  };
}

}  // namespace tapehead::cases
