#include "train/config/trunk_config.h"

namespace tapehead {

namespace {

AttentionScale attention_scale(const ModelConfig& config) {
  using Kind = AttentionScale::Kind;
  // The size of additive scores does not grow with the width of a head.
  const bool additive = config.attention == AttentionScores::kAdditive;
  if (additive && config.scale.kind == Kind::kInvSqrt) return {Kind::kNone};
  return config.scale;
}

}  // namespace

TrunkConfig trunk_config(const ModelConfig& config) {
  const ModelTraits& traits = traits_of(config.kind);
  TrunkConfig c;
  c.causal = traits.is_causal() && !traits.reads_sources();
  c.layers = config.layers;
  c.position = config.position;
  BlockConfig& b = c.block;
  b.d_model = config.d_model;
  b.heads = config.heads;
  b.kv_heads = config.kv_heads;
  b.head_dim = config.head_dim;
  b.d_ff = config.effective_d_ff();
  b.norm = config.norm;
  b.norm_kind = config.norm_kind;
  b.activation = config.activation;
  b.scale = attention_scale(config);
  b.attention.scores = config.attention;
  b.attention.share = config.share_qkv;
  b.attention.qk_norm = config.qk_norm;
  b.attention.soft_cap = config.logit_soft_cap;
  b.attention.sigma_reparam = config.sigma_reparam;
  b.bias = config.bias;
  b.dropout = config.dropout;
  return c;
}

}  // namespace tapehead
