#include "autograd/ops/mask_rows.h"
#include "autograd/ops/op_cases.h"

namespace tapehead::cases {

std::vector<GradCase> mask_rows_cases() {
  const auto under = [](const Tensor<std::uint8_t>& keep) {
    return [keep](auto in) { return mask_rows(in[0], keep); };
  };
  return {
      grad_case("matrix", {randn({3, 4}, 1)}, under({{3}, {1, 0, 1}})),
      grad_case("batch", {randn({2, 3, 2}, 2)}, under({{2, 3}, {0, 1, 1, 0, 0, 1}})),
      grad_case("one_row", {randn({3}, 3)}, under(Tensor<std::uint8_t>::scalar(1))),
      grad_case("nothing_kept", {randn({2, 2}, 4)}, under({{2}, {0, 0}})).expecting_zero_gradient(),
      grad_case("no_rows", {randn({0, 3}, 5)}, under(Tensor<std::uint8_t>({0}))),
  };
}

}  // namespace tapehead::cases
