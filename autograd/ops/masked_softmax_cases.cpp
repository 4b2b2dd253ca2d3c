#include "autograd/ops/masked_softmax.h"
#include "autograd/ops/op_cases.h"

namespace tapehead::cases {

std::vector<GradCase> masked_softmax_cases() {
  const auto under = [](const Tensor<std::uint8_t>& mask) {
    return [mask](auto in) { return masked_softmax(in[0], mask); };
  };
  return {
      grad_case("same_shape", {randn({2, 4}, 1)}, under({{2, 4}, {1, 0, 1, 1, 0, 0, 1, 1}})),
      grad_case("broadcast_over_rows", {randn({2, 3, 4}, 2)}, under({{4}, {1, 1, 0, 1}})),
      grad_case("broadcast_in_the_middle", {randn({2, 2, 3}, 3)},
                under({{2, 1, 3}, {1, 1, 0, 0, 1, 1}})),
      grad_case("one_flag_a_row", {randn({3, 4}, 4)}, under({{3, 1}, {1, 0, 1}})),
      grad_case("one_wholly_masked_row", {randn({2, 3}, 5)}, under({{2, 3}, {0, 0, 0, 1, 1, 0}})),
      grad_case("all_masked", {randn({2, 3}, 6)}, under(Tensor<std::uint8_t>({2, 3})))
          .expecting_zero_gradient(),
      grad_case("longer_than_a_vector", {randn({1, 37}, 7)},
                under(Tensor<std::uint8_t>::full({1, 37}, 1))),
      grad_case("no_rows", {randn({0, 3}, 8)}, under({{3}, {1, 0, 1}})),
  };
}

}  // namespace tapehead::cases
