#include "layers/norm.h"

#include "layers/layer_cases.h"

namespace tapehead::cases {

std::vector<GradCase> norm_layer_cases() {
  const auto layer = [](NormKind kind, bool bias) {
    return [kind, bias](const auto& at) {
      return [norm = make_layer<Norm>(at / "norm", kind, 5, bias)](auto&, auto in) {
        return norm->forward(in[0]);
      };
    };
  };
  return {layer_case("layer_norm", {randn({2, 3, 5}, 1)}, layer(NormKind::kLayer, true)),
          layer_case("layer_norm_without_bias", {randn({3, 5}, 2)}, layer(NormKind::kLayer, false)),
          layer_case("rms_norm", {randn({2, 3, 5}, 3)}, layer(NormKind::kRms, true))};
}

}  // namespace tapehead::cases
