#include "autograd/ops/concat.h"
#include "autograd/ops/op_cases.h"
#include "autograd/ops/packed_linear.h"

namespace tapehead::cases {

namespace {

// The results side by side; in: x, then weight and bias of each map.
constexpr auto kThreeMaps = [](auto in) {
  using Scalar = std::remove_cvref_t<decltype(in[0].value()[0])>;
  const AffineMap<Scalar> a{in[1], in[2]}, b{in[3], in[4]}, c{in[5], in[6]};
  const auto y = packed_linear<Scalar, 3>(in[0], {a, b, c});
  return concat({y[0], y[1], y[2]}, y[0].rank() - 1);
};

// Two maps without a bias, of which `used` has a gradient.
template <std::size_t used>
constexpr auto kOneOfTwo = [](auto in) {
  using Scalar = std::remove_cvref_t<decltype(in[0].value()[0])>;
  return packed_linear<Scalar, 2>(in[0], {AffineMap<Scalar>{in[1], {}}, {in[1], {}}})[used];
};

}  // namespace

std::vector<GradCase> packed_linear_cases() {
  return {
      grad_case("rows",
                {randn({3, 4}, 1), randn({5, 4}, 2), randn(Shape{5}, 3), randn({2, 4}, 4),
                 randn(Shape{2}, 5), randn({1, 4}, 6), randn(Shape{1}, 7)},
                kThreeMaps),
      grad_case("batch",
                {randn({2, 2, 3}, 8), randn({2, 3}, 9), randn(Shape{2}, 10), randn({2, 3}, 11),
                 randn(Shape{2}, 12), randn({1, 3}, 13), randn(Shape{1}, 14)},
                kThreeMaps),
      grad_case("no_rows",
                {randn({0, 2}, 15), randn({2, 2}, 16), randn(Shape{2}, 17), randn({1, 2}, 18),
                 randn(Shape{1}, 19), randn({1, 2}, 20), randn(Shape{1}, 21)},
                kThreeMaps)
          .expecting_zero_gradient(),
      // One result reaches the loss: the first, whose node has the backward function, or another.
      grad_case("first_of_two", {randn({3, 4}, 22), randn({5, 4}, 23)}, kOneOfTwo<0>),
      grad_case("last_of_two", {randn({3, 4}, 24), randn({5, 4}, 25)}, kOneOfTwo<1>),
      // More rows than a chunk of the threaded product.
      grad_case("many_rows",
                {randn({70, 2}, 26), randn({1, 2}, 27), randn(Shape{1}, 28), randn({1, 2}, 29),
                 randn(Shape{1}, 30), randn({1, 2}, 31), randn(Shape{1}, 32)},
                kThreeMaps),
  };
}

}  // namespace tapehead::cases
