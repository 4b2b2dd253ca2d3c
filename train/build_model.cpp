#include "train/build_model.h"

#include <fmt/format.h>

#include "base/error.h"
#include "train/config/model_kind.h"

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

NormKind norm_kind(const ModelConfig& config) {
  return choose<NormKind>("model.norm_kind", config.norm_kind,
                          {{"layer", NormKind::kLayer}, {"rms", NormKind::kRms}});
}

bool is_pre_norm(const ModelConfig& config) {
  return choose<bool>("model.norm", config.norm, {{"pre", true}, {"post", false}});
}

Activation activation(const ModelConfig& config) {
  return choose<Activation>("model.activation", config.activation,
                            {{"gelu", Activation::kGelu},
                             {"gelu_tanh", Activation::kGeluTanh},
                             {"relu", Activation::kRelu},
                             {"silu", Activation::kSilu}});
}

ModelEnds ends_of(const ModelConfig& config, const ModelSizes& sizes) {
  ModelEnds ends;
  ends.vocabulary = sizes.vocabulary;
  ends.features = sizes.features;
  ends.outputs = sizes.outputs;
  ends.tie_embeddings = config.tie_embeddings;
  return ends;
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

TrunkConfig trunk_config(const ModelConfig& config, Index length) {
  TrunkConfig c;
  c.kind = config.kind == "encoder" ? ModelKind::kEncoder : ModelKind::kDecoder;
  c.length = length;
  c.layers = config.layers;
  c.position = position_kind(config.position);
  BlockConfig& b = c.block;
  b.width = config.d_model;
  b.heads = config.heads;
  b.kv_heads = config.key_value_heads();
  b.head_dim = config.head_width();
  b.hidden = config.hidden_width();
  b.norm = norm_kind(config);
  b.pre_norm = is_pre_norm(config);
  b.activation = activation(config);
  b.scale = attention_scale(config);
  b.attention = attention_traits(config);
  b.bias = config.bias;
  b.dropout = config.dropout;
  return c;
}

}  // namespace

ModelSizes model_sizes(const Task& task) {
  ModelSizes sizes;
  sizes.vocabulary = task.vocabulary();
  sizes.length = task.length();
  sizes.source_length = task.source_length();
  const bool shared = &task.source_symbols() == &task.symbols();
  if (sizes.source_length > 0 && !shared) sizes.source_vocabulary = task.source_symbols().size();
  sizes.features = task.feature_width();
  sizes.outputs = task.target_width();
  return sizes;
}

TransformerConfig transformer_config(const ModelConfig& config, const ModelSizes& sizes) {
  return {ends_of(config, sizes), trunk_config(config, sizes.length)};
}

EncoderDecoderConfig encoder_decoder_config(const ModelConfig& config, const ModelSizes& sizes) {
  return {ends_of(config, sizes), sizes.source_vocabulary, sizes.source_length,
          trunk_config(config, sizes.length)};
}

RecurrentModelConfig recurrent_config(const ModelConfig& config, const ModelSizes& sizes) {
  RecurrentModelConfig c{ends_of(config, sizes)};
  c.cell = choose<CellKind>(
      "model.kind", config.kind,
      {{"rnn", CellKind::kRnn}, {"lstm", CellKind::kLstm}, {"gru", CellKind::kGru}});
  c.width = config.d_model;
  c.layers = config.layers;
  c.bias = config.bias;
  c.dropout = config.dropout;
  return c;
}

ConvModelConfig conv_config(const ModelConfig& config, const ModelSizes& sizes) {
  ConvModelConfig c;
  static_cast<ModelEnds&>(c) = ends_of(config, sizes);
  c.layers = config.layers;
  c.dilation = config.dilation;
  c.block.width = config.d_model;
  c.block.hidden = config.hidden_width();
  c.block.kernel_size = config.kernel_size;
  c.block.norm = norm_kind(config);
  c.block.pre_norm = is_pre_norm(config);
  c.block.activation = activation(config);
  c.block.bias = config.bias;
  c.block.dropout = config.dropout;
  return c;
}

InitOptions init_options(const ModelConfig& config) {
  using Scheme = InitOptions::Scheme;
  InitOptions init;
  init.scheme = choose<Scheme>("model.init", config.init,
                               {{"pytorch", Scheme::kPytorch},
                                {"normal", Scheme::kNormal},
                                {"unit_qk", Scheme::kUnitQueriesAndKeys}});
  init.residual_layers = config.layers;
  return init;
}

namespace {

void check_sources(const Config& config, const ModelSizes& sizes) {
  const bool reads_source = config.model.kind == "encoder_decoder";
  if (reads_source == (sizes.source_length > 0)) return;
  throw ValueError(fmt::format(
      "model.kind = \"{}\", but task.name = \"{}\": {}", config.model.kind, config.task.name,
      reads_source ? "the task has no sources, which an encoder-decoder reads; choose another kind"
                   : "the task has sources, which only an encoder-decoder reads; set model.kind = "
                     "\"encoder_decoder\""));
}

std::unique_ptr<const SequenceModel<float>> build_net(const Builder<float>& root,
                                                      const ModelConfig& config,
                                                      const ModelSizes& sizes) {
  if (is_recurrent(config.kind)) {
    return std::make_unique<RecurrentModel<float>>(root, recurrent_config(config, sizes));
  }
  if (config.kind == "conv") {
    return std::make_unique<ConvModel<float>>(root, conv_config(config, sizes));
  }
  if (config.kind == "encoder_decoder") {
    return std::make_unique<EncoderDecoder<float>>(root, encoder_decoder_config(config, sizes));
  }
  return std::make_unique<Transformer<float>>(root, transformer_config(config, sizes));
}

}  // namespace

std::unique_ptr<Model> build_model(const Config& config, const ModelSizes& sizes,
                                   ParameterStore<float>::Mode mode) {
  check_sources(config, sizes);
  auto model = std::make_unique<Model>(mode);
  const Builder<float> root(model->store, static_cast<std::uint64_t>(config.train.seed),
                            init_options(config.model));
  model->net = build_net(root, config.model, sizes);
  return model;
}

}  // namespace tapehead
