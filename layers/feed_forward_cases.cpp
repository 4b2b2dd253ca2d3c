#include "layers/feed_forward.h"

#include "layers/layer_cases.h"

namespace tapehead::cases {

std::vector<GradCase> feed_forward_layer_cases() {
  const auto layer = [](Activation activation, double dropout) {
    return [activation, dropout](const auto& at) {
      return [ff = make_layer<FeedForward>(at / "ff", 3, 5, activation, true, dropout)](auto& tape,
                                                                                        auto in) {
        tape.context().training = true;
        return ff->forward(in[0]);
      };
    };
  };
  return {layer_case("gelu", {randn({2, 2, 3}, 1)}, layer(Activation::kGelu, 0.0)),
          layer_case("gelu_tanh", {randn({2, 3}, 2)}, layer(Activation::kGeluTanh, 0.0)),
          layer_case("relu", {randn({2, 3}, 3)}, layer(Activation::kRelu, 0.0)),
          layer_case("silu_with_dropout", {randn({2, 3}, 4)}, layer(Activation::kSilu, 0.3))};
}

}  // namespace tapehead::cases
