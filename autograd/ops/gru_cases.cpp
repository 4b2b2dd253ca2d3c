#include "autograd/op_cases.h"
#include "autograd/ops/gru.h"

namespace tapehead::cases {

std::vector<GradCase> gru_cases() {
  constexpr Index kGates = 3;
  const auto build = [](auto in) { return gru(in[0], in[1], {in[2], in[3], in[4], in[5]}); };
  const auto inputs = [](Index batch, Index steps, Index in, Index hidden) {
    const Index gates = kGates * hidden;
    return std::vector<Tensor<double>>{
        randn({batch, steps, in}, 1), randn({batch, hidden}, 2), randn({gates, in}, 3),
        randn({gates, hidden}, 4),    randn({gates}, 5),         randn({gates}, 6)};
  };
  auto no_bias = inputs(2, 3, 2, 3);
  no_bias.resize(4);
  return {
      grad_case("batch", inputs(2, 4, 3, 2), build),
      grad_case("one_step", inputs(3, 1, 2, 3), build),
      grad_case("one_of_each", inputs(1, 1, 1, 1), build),
      grad_case("long", inputs(1, 9, 1, 2), build),
      grad_case("no_rows", inputs(0, 3, 2, 2), build).expecting_zero_gradient(),
      grad_case("without_bias", no_bias,
                [](auto in) {
                  return gru(in[0], in[1], {in[2], in[3], {}, {}});
                }),
  };
}

}  // namespace tapehead::cases
