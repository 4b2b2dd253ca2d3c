#include "layers/conv_model.h"

#include "layers/layer_cases.h"

namespace tapehead::cases {

std::vector<GradCase> conv_model_layer_cases() {
  const TokenTensor tokens({2, 4}, {0, 3, 1, 2, 2, 0, 1, 1});
  const auto layer = [tokens](const ConvModelConfig& config) {
    return [config, tokens](const auto& at) {
      return [model = make_layer<ConvModel>(at, config), tokens](auto& tape, auto) {
        return model->forward(tape, tokens);
      };
    };
  };
  ConvModelConfig c;
  c.vocabulary = 4;
  c.layers = 2;
  c.block.d_model = 3;
  c.block.d_ff = 3;
  c.block.kernel_size = 2;
  return {layer_case("pre_norm_dilated", {}, layer(c))};
}

}  // namespace tapehead::cases
