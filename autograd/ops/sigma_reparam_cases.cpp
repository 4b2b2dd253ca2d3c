#include "autograd/ops/sigma_reparam.h"

#include "autograd/ops/op_cases.h"

namespace tapehead::cases {

std::vector<GradCase> sigma_reparam_cases() {
  const auto f = [](auto in) { return sigma_reparam(in[0], in[1]); };
  const Tensor<double> gamma({}, {1.7});
  return {
      grad_case("wide", {randn({3, 5}, 1), gamma}, f),
      grad_case("tall", {randn({6, 2}, 2, 0.1), gamma}, f),
      grad_case("square", {randn({4, 4}, 3, 3.0), gamma}, f),
      grad_case("one_row", {randn({1, 4}, 4), gamma}, f),
  };
}

}  // namespace tapehead::cases
