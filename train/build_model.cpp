#include "train/build_model.h"

#include <fmt/format.h>

#include "autograd/error.h"

namespace tapehead {

namespace {

// The value beside `word` in a table; the configuration was checked, so a word that is missing is a
// mistake of ours.
template <typename Value>
Value choose(const char* key, const std::string& word,
             std::initializer_list<std::pair<const char*, Value>> table) {
  for (const auto& [name, value] : table) {
    if (word == name) return value;
  }
  throw ValueError(fmt::format("{}: '{}' is not built", key, word));
}

ModelKind model_kind(const std::string& word) {
  return choose<ModelKind>("model.kind", word,
                           {{"encoder", ModelKind::kEncoder}, {"decoder", ModelKind::kDecoder}});
}

AttentionScale attention_scale(const ModelConfig& config) {
  using Kind = AttentionScale::Kind;
  const WordOrNumber& scale = config.scale;
  if (const double* number = std::get_if<double>(&scale)) return {Kind::kNumber, *number};
  // The size of additive scores does not grow with the width of a head.
  if (config.attention == "additive" && std::get<std::string>(scale) == "inv_sqrt") {
    return {Kind::kNone};
  }
  return {choose<Kind>("model.scale", std::get<std::string>(scale),
                       {{"inv_sqrt", Kind::kInvSqrt},
                        {"none", Kind::kNone},
                        {"sqrt", Kind::kSqrt},
                        {"learned", Kind::kLearned},
                        {"log_length", Kind::kLogLength}})};
}

AttentionTraits attention_traits(const ModelConfig& config) {
  AttentionTraits t;
  t.scores = choose<AttentionScores>(
      "model.attention", config.attention,
      {{"dot", AttentionScores::kDot}, {"additive", AttentionScores::kAdditive}});
  t.share = choose<SharedProjections>("model.share_qkv", config.share_qkv,
                                      {{"none", SharedProjections::kNone},
                                       {"qk", SharedProjections::kQK},
                                       {"kv", SharedProjections::kKV},
                                       {"qkv", SharedProjections::kQKV}});
  t.qk_norm = config.qk_norm;
  t.soft_cap = config.logit_soft_cap;
  t.sigma_reparam = config.sigma_reparam;
  return t;
}

PositionKind position_kind(const std::string& word) {
  return choose<PositionKind>("model.position", word,
                              {{"learned", PositionKind::kLearned},
                               {"sinusoidal", PositionKind::kSinusoidal},
                               {"floater", PositionKind::kFloater},
                               {"recurrent", PositionKind::kRecurrent},
                               {"rope", PositionKind::kRope},
                               {"rope_halves", PositionKind::kRopeHalves},
                               {"alibi", PositionKind::kAlibi},
                               {"hard_alibi", PositionKind::kHardAlibi},
                               {"t5", PositionKind::kT5},
                               {"none", PositionKind::kNone}});
}

}  // namespace

TransformerConfig transformer_config(const ModelConfig& config, Index vocabulary, Index length) {
  TransformerConfig c;
  c.kind = model_kind(config.kind);
  c.vocabulary = vocabulary;
  c.length = length;
  c.layers = config.layers;
  c.position = position_kind(config.position);
  c.tie_embeddings = config.tie_embeddings;
  BlockConfig& b = c.block;
  b.width = config.d_model;
  b.heads = config.heads;
  b.kv_heads = config.kv_heads;
  b.hidden = config.d_ff;
  b.norm = choose<NormKind>("model.norm_kind", config.norm_kind,
                            {{"layer", NormKind::kLayer}, {"rms", NormKind::kRms}});
  b.pre_norm = choose<bool>("model.norm", config.norm, {{"pre", true}, {"post", false}});
  b.activation = choose<Activation>("model.activation", config.activation,
                                    {{"gelu", Activation::kGelu},
                                     {"gelu_tanh", Activation::kGeluTanh},
                                     {"relu", Activation::kRelu},
                                     {"silu", Activation::kSilu}});
  b.scale = attention_scale(config);
  b.attention = attention_traits(config);
  b.bias = config.bias;
  b.dropout = config.dropout;
  return c;
}

InitOptions init_options(const ModelConfig& config) {
  using Scheme = InitOptions::Scheme;
  InitOptions init;
  init.scheme = choose<Scheme>("model.init", config.init,
                               {{"pytorch", Scheme::kPytorch}, {"normal", Scheme::kNormal}});
  init.residual_layers = config.layers;
  return init;
}

std::unique_ptr<Model> build_model(const Config& config, Index vocabulary, Index length) {
  auto model = std::make_unique<Model>();
  const Builder<float> root(model->store, static_cast<std::uint64_t>(config.train.seed),
                            init_options(config.model));
  model->net = std::make_unique<const Transformer<float>>(
      root, transformer_config(config.model, vocabulary, length));
  return model;
}

}  // namespace tapehead
