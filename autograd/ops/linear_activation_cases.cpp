#include "autograd/ops/linear_activation.h"
#include "autograd/ops/op_cases.h"

namespace tapehead::cases {

std::vector<GradCase> linear_activation_cases() {
  const auto with_bias = [](Activation activation) {
    return [activation](auto in) { return linear_activation(in[0], in[1], in[2], activation); };
  };
  const auto without_bias = [](auto in) {
    return linear_activation(in[0], in[1], {}, Activation::kSilu);
  };
  const auto gelu = with_bias(Activation::kGelu);
  return {
      grad_case("gelu", {randn({3, 4}, 1), randn({5, 4}, 2), randn(Shape{5}, 3)}, gelu),
      grad_case("gelu_tanh", {randn({2, 3, 4}, 4), randn({2, 4}, 5), randn(Shape{2}, 6)},
                with_bias(Activation::kGeluTanh)),
      // z is 4.5 at most from its bias of 10 or -10: away from relu's kink.
      grad_case("relu",
                {uniform({3, 3}, 7, -1.5, 1.5), uniform({4, 3}, 8, -1.0, 1.0),
                 Tensor<double>(Shape{4}, {10, -10, 10, -10})},
                with_bias(Activation::kRelu)),
      grad_case("silu", {randn(Shape{7}, 9), randn({3, 7}, 10), randn(Shape{3}, 11)},
                with_bias(Activation::kSilu)),
      grad_case("without_bias", {randn({3, 4}, 12), randn({5, 4}, 13)}, without_bias),
      grad_case("one_by_one", {randn({2, 1}, 14), randn({1, 1}, 15), randn(Shape{1}, 16)}, gelu),
      grad_case("no_rows", {randn({0, 4}, 17), randn({2, 4}, 18), randn(Shape{2}, 19)}, gelu)
          .expecting_zero_gradient(),
      grad_case("no_columns", {randn({3, 0}, 20), randn({2, 0}, 21), randn(Shape{2}, 22)}, gelu),
      // x is also the weight: both contributions arrive at one value.
      grad_case("shared", {randn({3, 3}, 23), randn(Shape{3}, 24)},
                [](auto in) { return linear_activation(in[0], in[0], in[1], Activation::kGelu); }),
      // More rows than a chunk of the threaded product.
      grad_case("many_rows", {randn({70, 2}, 25), randn({2, 2}, 26), randn(Shape{2}, 27)}, gelu),
  };
}

}  // namespace tapehead::cases
