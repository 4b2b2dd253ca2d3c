#include "autograd/ops/linear.h"
#include "autograd/ops/op_cases.h"

namespace tapehead::cases {

std::vector<GradCase> linear_cases() {
  const auto with_bias = [](auto in) { return linear(in[0], in[1], in[2]); };
  const auto without_bias = [](auto in) { return linear(in[0], in[1]); };
  return {
      grad_case("rows", {randn({3, 4}, 1), randn({5, 4}, 2), randn({5}, 3)}, with_bias),
      grad_case("batch", {randn({2, 3, 4}, 4), randn({2, 4}, 5), randn({2}, 6)}, with_bias),
      grad_case("one_row", {randn({7}, 7), randn({3, 7}, 8), randn({3}, 9)}, with_bias),
      grad_case("without_bias", {randn({3, 4}, 10), randn({5, 4}, 11)}, without_bias),
      grad_case("one_by_one", {randn({2, 1}, 12), randn({1, 1}, 13), randn({1}, 14)}, with_bias),
      grad_case("no_rows", {randn({0, 4}, 15), randn({2, 4}, 16), randn({2}, 17)}, with_bias)
          .expecting_zero_gradient(),
      grad_case("no_columns", {randn({3, 0}, 18), randn({2, 0}, 19), randn({2}, 20)}, with_bias),
      // x is also the weight: both contributions arrive at one value.
      grad_case("shared", {randn({3, 3}, 21), randn({3}, 22)},
                [](auto in) { return linear(in[0], in[0], in[1]); }),
      // More rows than a chunk of the threaded product.
      grad_case("many_rows", {randn({70, 2}, 23), randn({2, 2}, 24), randn({2}, 25)}, with_bias),
  };
}

}  // namespace tapehead::cases
