#include "layers/distance_bias.h"

#include "layers/attention.h"
#include "layers/layer_cases.h"

namespace tapehead::cases {

std::vector<GradCase> distance_bias_layer_cases() {
  // Self-attention with the bias; that of T5 is a parameter.
  const auto layer = [](DistanceBiasKind kind, Index heads, const Mask& mask) {
    return [kind, heads, mask](const auto& at) {
      using Scalar = typename std::decay_t<decltype(at)>::Scalar;
      const bool bidirectional = !mask.may_hide_keys() && heads == 3;
      const auto bias =
          std::make_shared<const DistanceBias<Scalar>>(at / "position", kind, heads, bidirectional);
      const AttentionConfig config = AttentionConfig::self_attention(2 * heads, heads, 1);
      return [a = make_layer<MultiHeadAttention>(at / "attention", config, bias), mask](
                 auto&, auto in) { return a->forward(in[0], in[0], in[0], mask); };
    };
  };
  return {layer_case("alibi_causal", {randn({2, 3, 4}, 1)},
                     layer(DistanceBiasKind::kAlibi, 2, Mask::causal())),
          layer_case("hard_alibi", {randn({1, 4, 6}, 2)},
                     layer(DistanceBiasKind::kHardAlibi, 3, Mask::none())),
          layer_case("t5_causal", {randn({2, 3, 2}, 3)},
                     layer(DistanceBiasKind::kT5, 1, Mask::causal())),
          layer_case("t5_bidirectional", {randn({1, 3, 6}, 4)},
                     layer(DistanceBiasKind::kT5, 3, Mask::none()))};
}

}  // namespace tapehead::cases
