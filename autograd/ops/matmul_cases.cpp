#include "autograd/ops/matmul.h"
#include "autograd/ops/op_cases.h"

namespace tapehead::cases {

std::vector<GradCase> matmul_cases() {
  const auto plain = [](auto in) { return matmul(in[0], in[1]); };
  const auto ta = [](auto in) { return matmul(in[0], in[1], true, false); };
  const auto tb = [](auto in) { return matmul(in[0], in[1], false, true); };
  const auto both = [](auto in) { return matmul(in[0], in[1], true, true); };
  return {
      grad_case("matrices", {randn({3, 4}, 1), randn({4, 2}, 2)}, plain),
      grad_case("a_transposed", {randn({4, 3}, 3), randn({4, 2}, 4)}, ta),
      grad_case("b_transposed", {randn({3, 4}, 5), randn({2, 4}, 6)}, tb),
      grad_case("both_transposed", {randn({4, 3}, 7), randn({2, 4}, 8)}, both),
      grad_case("batch", {randn({2, 3, 4}, 9), randn({2, 4, 2}, 10)}, plain),
      grad_case("batch_a_transposed", {randn({2, 4, 3}, 11), randn({2, 4, 2}, 12)}, ta),
      grad_case("batch_b_transposed", {randn({2, 3, 4}, 13), randn({2, 2, 4}, 14)}, tb),
      grad_case("batch_both_transposed", {randn({2, 4, 3}, 15), randn({2, 2, 4}, 16)}, both),
      grad_case("broadcast_both", {randn({2, 1, 2, 3}, 17), randn({3, 3, 2}, 18)}, plain),
      grad_case("broadcast_transposed", {randn({3, 2}, 19), randn({2, 2, 4, 3}, 20)}, both),
      grad_case("stacked_rows", {randn({2, 3, 4}, 21), randn({4, 2}, 22)}, plain),
      grad_case("stacked_rows_transposed", {randn({2, 2, 4}, 23), randn({1, 3, 4}, 24)}, tb),
      grad_case("single_matrix_against_batch", {randn({2, 3}, 25), randn({2, 3, 2}, 26)}, plain),
      grad_case("outer_product", {randn({3, 1}, 27), randn({1, 4}, 28)}, plain),
      grad_case("inner_product", {randn({1, 5}, 29), randn({5, 1}, 30)}, plain),
      grad_case("no_inner", {randn({2, 0}, 31), randn({0, 3}, 32)}, plain),
      grad_case("no_batch", {randn({0, 2, 3}, 33), randn({3, 2}, 34)}, plain)
          .expecting_zero_gradient(),
      grad_case("squared", {randn({3, 3}, 35)}, [](auto in) { return matmul(in[0], in[0]); }),
  };
}

}  // namespace tapehead::cases
