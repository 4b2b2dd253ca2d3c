#include "layers/linear.h"

#include "layers/layer_cases.h"

namespace tapehead::cases {

std::vector<GradCase> linear_layer_cases() {
  const auto layer = [](bool bias) {
    return [bias](const auto& at) {
      return [fc = make_layer<Linear>(at / "fc", 3, 4, bias)](auto&, auto in) {
        return fc->forward(in[0]);
      };
    };
  };
  const auto reparametrised = [](const auto& at) {
    return [fc = make_layer<Linear>(at / "fc", 3, 4, true, WeightRole::kPlain, true)](
               auto&, auto in) { return fc->forward(in[0]); };
  };
  return {layer_case("with_bias", {randn({2, 3}, 1)}, layer(true)),
          layer_case("sigma_reparam", {randn({2, 3}, 3)}, reparametrised),
          layer_case("without_bias", {randn({2, 2, 3}, 2)}, layer(false))};
}

}  // namespace tapehead::cases
