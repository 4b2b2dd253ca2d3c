#include "autograd/ops/div.h"
#include "autograd/ops/op_cases.h"

namespace tapehead::cases {

std::vector<GradCase> div_cases() {
  const auto f = [](auto in) { return div(in[0], in[1]); };
  return {
      grad_case("scalars", {randn(Shape{}, 1), keep_away_from(0, 0.5, randn({}, 2))}, f),
      grad_case("equal_shapes", {randn({3, 5}, 3), keep_away_from(0, 0.5, randn({3, 5}, 4))}, f),
      grad_case("row_to_matrix", {randn({4, 5}, 5), keep_away_from(0, 0.5, randn({5}, 6))}, f),
      grad_case("matrix_to_batch", {randn({3, 2, 3}, 7), keep_away_from(0, 0.5, randn({2, 3}, 8))},
                f),
      grad_case("column_to_matrix", {randn({3, 4}, 9), keep_away_from(0, 0.5, randn({3, 1}, 10))},
                f),
      grad_case("both_grow", {randn({3, 1, 2}, 11), keep_away_from(0, 0.5, randn({4, 1}, 12))}, f),
      grad_case("scalar_to_matrix", {randn(Shape{}, 13), keep_away_from(0, 0.5, randn({2, 3}, 14))},
                f),
      grad_case("ones_inside", {randn({2, 1, 3, 1}, 15), keep_away_from(0, 0.5, randn({3, 2}, 16))},
                f),
      grad_case("longer_than_a_vector", {randn({37}, 17), keep_away_from(0, 0.5, randn({1}, 18))},
                f),
      grad_case("no_rows", {randn({0, 3}, 19), keep_away_from(0, 0.5, randn({3}, 20))}, f),
  };
}

}  // namespace tapehead::cases
