#include "autograd/ops/op_cases.h"
#include "autograd/ops/slice.h"

namespace tapehead::cases {

std::vector<GradCase> slice_cases() {
  return {
      grad_case("vector", {randn(Shape{7}, 1)}, [](auto in) { return slice(in[0], 0, 2, 5); }),
      grad_case("columns", {randn({3, 5}, 2)}, [](auto in) { return slice(in[0], -1, 1, 3); }),
      grad_case("rows", {randn({5, 3}, 3)}, [](auto in) { return slice(in[0], 0, 4, 5); }),
      grad_case("middle_axis", {randn({2, 4, 3}, 4)},
                [](auto in) { return slice(in[0], 1, 0, 2); }),
      grad_case("everything", {randn({2, 3}, 5)}, [](auto in) { return slice(in[0], 1, 0, 3); }),
      grad_case("nothing", {randn({2, 3}, 6)}, [](auto in) { return slice(in[0], 1, 2, 2); }),
      grad_case("of_an_empty_array", {randn({0, 3}, 7)},
                [](auto in) { return slice(in[0], 1, 0, 2); }),
  };
}

}  // namespace tapehead::cases
