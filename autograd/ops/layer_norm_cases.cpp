#include "autograd/ops/layer_norm.h"
#include "autograd/ops/op_cases.h"

namespace tapehead::cases {

namespace {

// With an eps of 1e-5, differences of 1e-3 would bend the function more than a central difference
// can follow.
constexpr double kLargeEps = 1e-3;

// Rows whose variance of 1e-6 hardly counts beside kLargeEps.
Tensor<double> nearly_constant(double center) {
  Tensor<double> x = randn({2, 6}, 9, 1e-3);
  for (double& v : x.values()) v += center;
  return x;
}

}  // namespace

std::vector<GradCase> layer_norm_cases() {
  const auto with_bias = [](auto in) { return layer_norm(in[0], in[1], in[2]); };
  const auto without_bias = [](auto in) { return layer_norm(in[0], in[1], kLargeEps); };
  return {
      grad_case("rows", {randn({3, 5}, 1), randn({5}, 2), randn({5}, 3)}, with_bias),
      grad_case("batch", {randn({2, 2, 4}, 4, 3.0), randn({4}, 5), randn({4}, 6)}, with_bias),
      grad_case("without_bias", {randn({2, 4}, 7), randn({4}, 8)}, without_bias),
      grad_case("near_zero_variance", {nearly_constant(0.5), randn({6}, 10), randn({6}, 11)},
                [](auto in) { return layer_norm(in[0], in[1], in[2], kLargeEps); }),
      grad_case("longer_than_the_lanes", {randn({2, 19}, 12), randn({19}, 13), randn({19}, 14)},
                with_bias),
      grad_case("width_one", {randn({3, 1}, 15), randn({1}, 16), randn({1}, 17)}, with_bias),
      grad_case("no_rows", {randn({0, 3}, 18), randn({3}, 19), randn({3}, 20)}, with_bias)
          .expecting_zero_gradient(),
  };
}

}  // namespace tapehead::cases
