#include "autograd/ops/mean.h"
#include "autograd/ops/op_cases.h"

namespace tapehead::cases {

std::vector<GradCase> mean_cases() {
  const auto all = [](auto in) { return mean(in[0]); };
  return {
      grad_case("all", {randn({3, 5}, 1)}, all),
      grad_case("all_of_a_scalar", {randn(Shape{}, 2)}, all),
      grad_case("all_longer_than_a_vector", {randn({53}, 3)}, all),
      grad_case("last_axis", {randn({3, 5}, 4)}, [](auto in) { return mean(in[0], -1); }),
      grad_case("first_axis", {randn({3, 5}, 5)}, [](auto in) { return mean(in[0], 0); }),
      grad_case("middle_axis_kept", {randn({2, 3, 4}, 6)},
                [](auto in) { return mean(in[0], 1, true); }),
      grad_case("axis_of_one", {randn({3, 1, 2}, 7)}, [](auto in) { return mean(in[0], 1); }),
      grad_case("long_rows", {randn({1, 41}, 8)}, [](auto in) { return mean(in[0], 1); }),

      grad_case("no_slices", {randn({0, 3}, 9)}, [](auto in) { return mean(in[0], 1); }),
  };
}

}  // namespace tapehead::cases
