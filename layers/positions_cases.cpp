#include "layers/positions.h"

#include "layers/layer_cases.h"

namespace tapehead::cases {

std::vector<GradCase> positions_layer_cases() {
  const auto learned = [](Index first) {
    return [first](const auto& at) {
      return [p = make_layer<LearnedPositions>(at / "position", 4, 3), first](auto&, auto in) {
        return p->forward(in[0], first);
      };
    };
  };
  const auto sinusoidal = [](const auto& at) {
    using Scalar = typename std::decay_t<decltype(at)>::Scalar;
    return [p = std::make_shared<const SinusoidalPositions<Scalar>>(4, 5)](auto&, auto in) {
      return p->forward(in[0], 2);
    };
  };
  return {layer_case("learned_whole_table", {randn({2, 4, 3}, 1)}, learned(0)),
          layer_case("learned_part", {randn({2, 2, 3}, 2)}, learned(1)),
          layer_case("sinusoidal_odd_width", {randn({2, 3, 5}, 3)}, sinusoidal)};
}

}  // namespace tapehead::cases
