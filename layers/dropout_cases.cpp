#include "layers/dropout.h"

#include "layers/layer_cases.h"

namespace tapehead::cases {

std::vector<GradCase> dropout_layer_cases() {
  const auto layer = [](bool training) {
    return [training](const auto& at) {
      return [drop = make_layer<Dropout>(at / "dropout", 0.4), training](auto& tape, auto in) {
        tape.context().training = training;
        return drop->forward(in[0]);
      };
    };
  };
  return {layer_case("training", {randn({2, 3, 5}, 1)}, layer(true)),
          layer_case("evaluation", {randn({2, 3}, 2)}, layer(false))};
}

}  // namespace tapehead::cases
