#include "autograd/ops/op_cases.h"
#include "autograd/ops/permute.h"

namespace tapehead::cases {

std::vector<GradCase> permute_cases() {
  return {
      grad_case("transpose", {randn({3, 5}, 1)},
                [](auto in) {
                  return permute(in[0], {1, 0});
                }),
      grad_case("heads_before_time", {randn({2, 3, 2, 4}, 2)},
                [](auto in) {
                  return permute(in[0], {0, 2, 1, 3});
                }),
      grad_case("rotate", {randn({2, 3, 4}, 3)},
                [](auto in) {
                  return permute(in[0], {2, 0, 1});
                }),
      grad_case("dimension_of_one", {randn({3, 1, 4}, 4)},
                [](auto in) {
                  return permute(in[0], {1, -1, 0});
                }),
      grad_case("identity", {randn({2, 3}, 5)},
                [](auto in) {
                  return permute(in[0], {0, 1});
                }),
      grad_case("scalar", {randn(Shape{}, 6)}, [](auto in) { return permute(in[0], {}); }),
      grad_case("empty", {randn({2, 0, 3}, 7)},
                [](auto in) {
                  return permute(in[0], {2, 1, 0});
                }),
  };
}

}  // namespace tapehead::cases
