#include "autograd/ops/rope.h"

#include "autograd/ops/op_cases.h"

namespace tapehead::cases {

namespace {

template <typename Scalar>
Var<Scalar> rotated_from(const Var<Scalar>& x, Index d, Index first, RopePairs pairs) {
  return rope(x, rope_table<Scalar>(x.dim(1), d, first), pairs);
}

}  // namespace

std::vector<GradCase> rope_cases() {
  const auto rotate = [](Index d, Index first, RopePairs pairs) {
    return [d, first, pairs](auto in) { return rotated_from(in[0], d, first, pairs); };
  };
  return {
      grad_case("neighbours", {randn({2, 3, 4}, 1)}, rotate(4, 0, RopePairs::kNeighbours)),
      grad_case("halves_two_heads", {randn({1, 2, 12}, 2)}, rotate(6, 5, RopePairs::kHalves)),
      grad_case("one_pair_far_away", {randn({2, 1, 2}, 3)}, rotate(2, 900, RopePairs::kNeighbours)),
      grad_case("no_time_steps", {randn({2, 0, 4}, 4)}, rotate(4, 0, RopePairs::kHalves)),
  };
}

}  // namespace tapehead::cases
