#include "layers/floater.h"

#include <array>

#include "layers/layer_cases.h"

namespace tapehead::cases {

std::vector<GradCase> floater_layer_cases() {
  const auto in_sequence = [](Index first) {
    return [first](const auto& at) {
      return [f = make_layer<Floater>(at / "position", 3), first](auto&, auto in) {
        return f->forward(in[0], first);
      };
    };
  };
  const auto fractions = [](const auto& at) {
    return [f = make_layer<Floater>(at / "position", 2)](auto& tape, auto) {
      const std::array<double, 4> positions = {0.5, 1.0, 1.25, 3.5};
      return f->at(tape, positions);
    };
  };
  return {layer_case("from_the_start", {randn({2, 3, 3}, 1)}, in_sequence(0)),
          layer_case("later_positions", {randn({1, 2, 3}, 2)}, in_sequence(4)),
          layer_case("fractions", {}, fractions)};
}

}  // namespace tapehead::cases
