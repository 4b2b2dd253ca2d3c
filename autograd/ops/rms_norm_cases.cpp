#include "autograd/ops/op_cases.h"
#include "autograd/ops/rms_norm.h"

namespace tapehead::cases {

std::vector<GradCase> rms_norm_cases() {
  const auto norm = [](auto in) { return rms_norm(in[0], in[1]); };
  return {
      grad_case("rows", {randn({3, 5}, 1), randn({5}, 2)}, norm),
      grad_case("batch", {randn({2, 2, 4}, 3, 3.0), randn({4}, 4)}, norm),
      grad_case("longer_than_the_lanes", {randn({2, 19}, 5), randn({19}, 6)}, norm),
      // Squares near 1e-6 beside an eps of 1e-3.
      grad_case("near_zero", {randn({2, 6}, 7, 1e-3), randn({6}, 8)},
                [](auto in) { return rms_norm(in[0], in[1], 1e-3); }),
      grad_case("width_one", {keep_away_from(0, 0.5, randn({3, 1}, 9)), randn({1}, 10)}, norm),
      grad_case("no_rows", {randn({0, 3}, 11), randn({3}, 12)}, norm).expecting_zero_gradient(),
  };
}

}  // namespace tapehead::cases
