#include "layers/recurrent_positions.h"

#include "layers/layer_cases.h"

namespace tapehead::cases {

std::vector<GradCase> recurrent_positions_layer_cases() {
  const auto layer = [](const auto& at) {
    return [p = make_layer<RecurrentPositions>(at / "position", 3)](auto&, auto in) {
      return p->forward(in[0]);
    };
  };
  return {layer_case("sequence", {randn({2, 4, 3}, 1)}, layer),
          layer_case("one_time_step", {randn({2, 1, 3}, 2)}, layer)};
}

}  // namespace tapehead::cases
