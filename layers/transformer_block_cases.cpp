#include "layers/transformer_block.h"

#include "layers/layer_cases.h"

namespace tapehead::cases {

std::vector<GradCase> transformer_block_layer_cases() {
  const auto layer = [](const BlockConfig& config) {
    return [config](const auto& at) {
      return [block = make_layer<TransformerBlock>(at / "block", config)](auto& tape, auto in) {
        tape.context().training = true;
        return block->forward(in[0], Mask::causal());
      };
    };
  };
  BlockConfig pre;
  pre.width = 4;
  pre.heads = 2;
  pre.hidden = 5;
  BlockConfig post = pre;
  post.pre_norm = false;
  post.norm = NormKind::kRms;
  post.bias = false;
  post.dropout = 0.3;
  return {layer_case("pre_norm", {randn({1, 3, 4}, 1)}, layer(pre)),
          layer_case("post_norm_rms_dropout", {randn({1, 3, 4}, 2)}, layer(post))};
}

}  // namespace tapehead::cases
