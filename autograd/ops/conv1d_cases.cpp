#include "autograd/ops/conv1d.h"
#include "autograd/ops/op_cases.h"

namespace tapehead::cases {

std::vector<GradCase> conv1d_cases() {
  const auto conv = [](const Conv1dOptions& options) {
    return [options](auto in) { return conv1d(in[0], in[1], in[2], options); };
  };
  const auto inputs = [](const Shape& x, const Shape& weight) {
    return std::vector<Tensor<double>>{randn(x, 1), randn(weight, 2), randn({weight.dim(0)}, 3)};
  };
  return {
      grad_case("causal", inputs({2, 5, 3}, {4, 3, 3}), conv(Conv1dOptions::causal(3))),
      grad_case("causal_dilated", inputs({2, 7, 2}, {3, 2, 3}), conv(Conv1dOptions::causal(3, 2))),
      grad_case("both_sides", inputs({1, 4, 2}, {2, 2, 3}), conv({1, 1, 1})),
      grad_case("not_padded", inputs({2, 5, 2}, {3, 2, 2}), conv({2, 0, 0})),
      grad_case("one_tap", inputs({2, 3, 2}, {3, 2, 1}), conv({})),
      grad_case("longer_than_the_input", inputs({1, 2, 2}, {2, 2, 4}),
                conv(Conv1dOptions::causal(4, 2))),
      grad_case("one_of_each", inputs({1, 1, 1}, {1, 1, 2}), conv(Conv1dOptions::causal(2))),
      grad_case("no_rows", inputs({0, 3, 2}, {2, 2, 2}), conv(Conv1dOptions::causal(2)))
          .expecting_zero_gradient(),
      grad_case("without_bias", {randn({2, 4, 2}, 4), randn({3, 2, 2}, 5)},
                [](auto in) { return conv1d(in[0], in[1], Conv1dOptions::causal(2)); }),
  };
}

}  // namespace tapehead::cases
