#include "layers/causal_conv.h"

#include "layers/layer_cases.h"

namespace tapehead::cases {

std::vector<GradCase> causal_conv_layer_cases() {
  const auto block = [](const ConvBlockConfig& config) {
    return [config](const auto& at) {
      return [layer = make_layer<ConvBlock>(at / "block", config)](auto& tape, auto in) {
        tape.context().training = true;
        return layer->forward(in[0]);
      };
    };
  };
  const auto conv = [](const auto& at) {
    return [layer = make_layer<CausalConv>(at, 2, 3, 2, 2)](auto&, auto in) {
      return layer->forward(in[0]);
    };
  };
  ConvBlockConfig pre;
  pre.d_model = 3;
  pre.d_ff = 4;
  pre.dilation = 2;
  ConvBlockConfig post = pre;
  post.norm = NormPlacement::kPost;
  post.bias = false;
  post.norm_kind = NormKind::kRms;
  post.activation = Activation::kSilu;
  post.dropout = 0.3;
  return {layer_case("alone", {randn({2, 4, 2}, 1)}, conv),
          layer_case("pre_norm", {randn({2, 4, 3}, 2)}, block(pre)),
          layer_case("post_norm_dropout", {randn({1, 5, 3}, 3)}, block(post))};
}

}  // namespace tapehead::cases
