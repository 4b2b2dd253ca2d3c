#include "autograd/ops/op_cases.h"
#include "autograd/ops/reshape.h"

namespace tapehead::cases {

std::vector<GradCase> reshape_cases() {
  return {
      grad_case("split", {randn({6, 4}, 1)},
                [](auto in) {
                  return reshape(in[0], {2, 3, 2, 2});
                }),
      grad_case("flatten", {randn({3, 1, 5}, 2)},
                [](auto in) { return reshape(in[0], Shape{15}); }),
      grad_case("to_scalar", {randn({1, 1}, 3)}, [](auto in) { return reshape(in[0], Shape{}); }),
      grad_case("same_shape", {randn(Shape{3}, 4)},
                [](auto in) { return reshape(in[0], Shape{3}); }),
      grad_case("empty", {randn({0, 3}, 5)},
                [](auto in) {
                  return reshape(in[0], {2, 0});
                }),
  };
}

}  // namespace tapehead::cases
