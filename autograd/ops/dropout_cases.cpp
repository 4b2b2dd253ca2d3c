#include "autograd/ops/dropout.h"
#include "autograd/ops/op_cases.h"

namespace tapehead::cases {

std::vector<GradCase> dropout_cases() {
  const auto drop = [](double p) {
    return [p](auto in) {
      in[0].tape().context().training = true;
      return dropout(in[0], p, 1);
    };
  };
  return {
      grad_case("vector", {randn({7}, 1)}, drop(0.5)),
      grad_case("batch", {randn({2, 3, 5}, 2)}, drop(0.1)),
      grad_case("most_dropped", {randn({4, 9}, 3)}, drop(0.9)),
      grad_case("no_rows", {randn({0, 3}, 4)}, drop(0.5)),
  };
}

}  // namespace tapehead::cases
