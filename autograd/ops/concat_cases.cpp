#include "autograd/ops/concat.h"
#include "autograd/ops/op_cases.h"

namespace tapehead::cases {

std::vector<GradCase> concat_cases() {
  return {
      grad_case("vectors", {randn(Shape{3}, 1), randn(Shape{5}, 2)},
                [](auto in) {
                  return concat({in[0], in[1]}, 0);
                }),
      grad_case("columns", {randn({3, 2}, 3), randn({3, 5}, 4)},
                [](auto in) {
                  return concat({in[0], in[1]}, -1);
                }),
      grad_case("rows", {randn({1, 4}, 5), randn({3, 4}, 6)},
                [](auto in) {
                  return concat({in[0], in[1]}, 0);
                }),
      grad_case("middle_of_three", {randn({2, 1, 3}, 7), randn({2, 2, 3}, 8), randn({2, 3, 3}, 9)},
                [](auto in) { return concat(in, 1); }),
      grad_case("one_input", {randn({2, 3}, 10)}, [](auto in) { return concat(in, 1); }),
      grad_case("one_is_empty", {randn({2, 0}, 11), randn({2, 3}, 12)},
                [](auto in) { return concat(in, 1); }),
      grad_case("the_same_twice", {randn({2, 3}, 13)},
                [](auto in) {
                  return concat({in[0], in[0]}, 0);
                }),
  };
}

}  // namespace tapehead::cases
