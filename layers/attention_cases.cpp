#include "layers/attention.h"

#include "layers/layer_cases.h"

namespace tapehead::cases {

namespace {

AttentionConfig cross_config(Index heads, Index kv_heads) {
  AttentionConfig c;
  c.query_width = 3;
  c.key_width = 4;
  c.value_width = 2;
  c.heads = heads;
  c.kv_heads = kv_heads;
  c.d_k = 2;
  c.d_v = 3;
  c.out_width = 2;
  return c;
}

}  // namespace

std::vector<GradCase> attention_layer_cases() {
  const auto layer = [](const AttentionConfig& config, const Mask& mask) {
    return [config, mask](const auto& at) {
      return [a = make_layer<MultiHeadAttention>(at / "attention", config), mask](auto&, auto in) {
        return a->forward(in[0], in[1], in[2], mask);
      };
    };
  };
  const auto self = [](const AttentionConfig& config) {
    return [config](const auto& at) {
      return [a = make_layer<MultiHeadAttention>(at / "attention", config)](auto& tape, auto in) {
        tape.context().training = true;
        return a->forward(in[0], in[0], in[0], Mask::causal());
      };
    };
  };
  AttentionConfig learned = AttentionConfig::self_attention(4, 2, 1);
  learned.scale.kind = AttentionScale::Kind::kLearned;
  AttentionConfig dropped = AttentionConfig::self_attention(4, 2);
  dropped.dropout = 0.4;
  dropped.bias = false;
  const auto with = [](const auto& change) {
    AttentionConfig c = AttentionConfig::self_attention(4, 2);
    c.length = 3;
    change(c);
    return c;
  };
  const AttentionConfig additive = with([](auto& c) {
    c.traits.scores = AttentionScores::kAdditive;
    c.scale.kind = AttentionScale::Kind::kLearned;
    c.kv_heads = 1;
  });
  const AttentionConfig rope = with([](auto& c) {
    c.rotary = Rotary::kNeighbours;
    c.scale.kind = AttentionScale::Kind::kLogLength;
  });
  const AttentionConfig stable = with([](auto& c) {
    c.traits.qk_norm = true;
    c.traits.soft_cap = 1.5;
    c.rotary = Rotary::kHalves;
  });
  const AttentionConfig reparametrised = with([](auto& c) { c.traits.sigma_reparam = true; });
  const auto sharing = [with](SharedProjections share) {
    return with([share](auto& c) { c.traits.share = share; });
  };
  const std::vector<Tensor<double>> cross{randn({2, 2, 3}, 1), randn({2, 3, 4}, 2),
                                          randn({2, 3, 2}, 3)};
  return {layer_case("cross_multi_head", cross, layer(cross_config(2, 2), Mask::none())),
          layer_case("cross_multi_query_padding", cross,
                     layer(cross_config(2, 1), Mask::key_lengths({3, 1}))),
          layer_case("self_additive_multi_query", {randn({1, 3, 4}, 6)}, self(additive)),
          layer_case("self_rope_log_length", {randn({2, 3, 4}, 7)}, self(rope)),
          layer_case("self_qk_norm_soft_cap_rope_halves", {randn({2, 3, 4}, 8)}, self(stable)),
          layer_case("self_sigma_reparam", {randn({1, 3, 4}, 9)}, self(reparametrised)),
          layer_case("shared_qk", {randn({1, 3, 4}, 10)}, self(sharing(SharedProjections::kQK))),
          layer_case("shared_kv", {randn({1, 3, 4}, 11)}, self(sharing(SharedProjections::kKV))),
          layer_case("shared_qkv", {randn({1, 3, 4}, 12)}, self(sharing(SharedProjections::kQKV))),
          layer_case("self_causal_learned_scale", {randn({1, 3, 4}, 4)}, self(learned)),
          layer_case("self_causal_dropout", {randn({1, 3, 4}, 5)}, self(dropped))};
}

}  // namespace tapehead::cases
