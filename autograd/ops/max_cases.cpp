#include "autograd/ops/max.h"
#include "autograd/ops/op_cases.h"

namespace tapehead::cases {

std::vector<GradCase> max_cases() {
  // Where two elements are as large as each other the derivative does not exist: here all elements
  // lie at least 0.1 apart, in an order without a pattern.
  const auto distinct = [](const Shape& shape, std::uint64_t seed) {
    Tensor<double> x = uniform(shape, seed, 0.0, 0.1);
    constexpr Index kStride = 17;  // shares no factor with the sizes below
    for (Index i = 0; i < x.size(); ++i) {
      x[i] += 0.2 * static_cast<double>(i * kStride % x.size()) - 1.0;
    }
    return x;
  };
  const auto all = [](auto in) { return max(in[0]); };
  return {
      grad_case("all", {distinct({3, 5}, 1)}, all),
      grad_case("all_of_a_scalar", {distinct({}, 2)}, all),
      grad_case("all_longer_than_a_vector", {distinct({53}, 3)}, all),
      grad_case("last_axis", {distinct({3, 5}, 4)}, [](auto in) { return max(in[0], -1); }),
      grad_case("first_axis", {distinct({3, 5}, 5)}, [](auto in) { return max(in[0], 0); }),
      grad_case("middle_axis_kept", {distinct({2, 3, 4}, 6)},
                [](auto in) { return max(in[0], 1, true); }),
      grad_case("axis_of_one", {distinct({3, 1, 2}, 7)}, [](auto in) { return max(in[0], 1); }),
      grad_case("no_slices", {randn({0, 3}, 8)}, [](auto in) { return max(in[0], 1); }),
  };
}

}  // namespace tapehead::cases
