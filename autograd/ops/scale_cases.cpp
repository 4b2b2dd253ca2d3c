#include "autograd/ops/op_cases.h"
#include "autograd/ops/scale.h"

namespace tapehead::cases {

std::vector<GradCase> scale_cases() {
  return {
      grad_case("matrix", {randn({3, 5}, 1)}, [](auto in) { return scale(in[0], -1.75); }),
      grad_case("scalar", {randn(Shape{}, 2)}, [](auto in) { return scale(in[0], 0.3); }),
      grad_case("longer_than_a_vector", {randn({37}, 3)},
                [](auto in) { return scale(in[0], 12.5); }),
      grad_case("by_zero", {randn({4}, 4)}, [](auto in) { return scale(in[0], 0.0); })
          .expecting_zero_gradient(),
      grad_case("empty", {randn({0}, 5)}, [](auto in) { return scale(in[0], 2.0); }),
  };
}

}  // namespace tapehead::cases
