#include "autograd/ops/mse_loss.h"
#include "autograd/ops/op_cases.h"

namespace tapehead::cases {

std::vector<GradCase> mse_loss_cases() {
  const auto loss = [](auto in) { return mse_loss(in[0], in[1]); };
  return {
      grad_case("matrix", {randn({3, 4}, 1), randn({3, 4}, 2)}, loss),
      grad_case("longer_than_the_lanes", {randn({37}, 3), randn({37}, 4)}, loss),
      grad_case("scalar", {randn({}, 5), randn({}, 6)}, loss),
      grad_case("empty", {randn({0, 2}, 7), randn({0, 2}, 8)}, loss),
      grad_case("target_is_shared", {randn({4}, 9)}, [](auto in) { return mse_loss(in[0], in[0]); })
          .expecting_zero_gradient(),
  };
}

}  // namespace tapehead::cases
