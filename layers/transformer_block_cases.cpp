#include "layers/transformer_block.h"

#include <type_traits>

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
  pre.d_model = 4;
  pre.heads = 2;
  pre.d_ff = 5;
  BlockConfig post = pre;
  post.norm = NormPlacement::kPost;
  post.norm_kind = NormKind::kRms;
  post.bias = false;
  post.dropout = 0.3;
  const auto decoder_layer = [](const BlockConfig& config) {
    return [config](const auto& at) {
      using Scalar = typename std::decay_t<decltype(at)>::Scalar;
      return [block = make_layer<TransformerBlock>(at / "block", config)](auto&, auto in) {
        const EncodedSource<Scalar> source{in[1], Mask::key_lengths({2})};
        return block->forward(in[0], Mask::causal(), nullptr, &source);
      };
    };
  };
  BlockConfig cross = pre;
  cross.cross_attention = true;
  BlockConfig cross_post = cross;
  cross_post.norm = NormPlacement::kPost;
  const std::vector<Tensor<double>> target_and_source = {randn({1, 2, 4}, 3), randn({1, 3, 4}, 4)};
  return {layer_case("pre_norm", {randn({1, 3, 4}, 1)}, layer(pre)),
          layer_case("post_norm_rms_dropout", {randn({1, 3, 4}, 2)}, layer(post)),
          layer_case("cross_attention_pre_norm", target_and_source, decoder_layer(cross)),
          layer_case("cross_attention_post_norm", target_and_source, decoder_layer(cross_post))};
}

}  // namespace tapehead::cases
