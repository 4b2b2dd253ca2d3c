#include "train/build_model.h"

#include <fmt/format.h>

#include "base/error.h"
#include "train/config/trunk_config.h"

namespace tapehead {

namespace {

ModelEnds ends_of(const ModelConfig& config, const ModelSizes& sizes) {
  ModelEnds ends;
  ends.vocabulary = sizes.vocabulary;
  ends.features = sizes.features;
  ends.outputs = sizes.outputs;
  ends.tie_embeddings = config.tie_embeddings;
  return ends;
}

TrunkConfig sized_trunk(const ModelConfig& config, Index length) {
  TrunkConfig c = trunk_config(config);
  c.length = length;
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
  return {ends_of(config, sizes), sized_trunk(config, sizes.length)};
}

EncoderDecoderConfig encoder_decoder_config(const ModelConfig& config, const ModelSizes& sizes) {
  return {ends_of(config, sizes), sizes.source_vocabulary, sizes.source_length,
          sized_trunk(config, sizes.length)};
}

RecurrentModelConfig recurrent_config(const ModelConfig& config, const ModelSizes& sizes) {
  RecurrentModelConfig c{ends_of(config, sizes)};
  c.cell = traits_of(config.kind).cell.value();
  c.d_model = config.d_model;
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
  c.block.d_model = config.d_model;
  c.block.d_ff = config.effective_d_ff();
  c.block.kernel_size = config.kernel_size;
  c.block.norm = config.norm;
  c.block.norm_kind = config.norm_kind;
  c.block.activation = config.activation;
  c.block.bias = config.bias;
  c.block.dropout = config.dropout;
  return c;
}

InitOptions init_options(const ModelConfig& config) {
  InitOptions init;
  init.scheme = config.init;
  init.residual_layers = config.layers;
  return init;
}

namespace {

void check_sources(const Config& config, const ModelSizes& sizes) {
  const ModelTraits& traits = traits_of(config.model.kind);
  const bool reads_source = traits.reads_sources();
  if (reads_source == (sizes.source_length > 0)) return;
  throw ValueError(fmt::format(
      "model.kind = \"{}\", but task.name = \"{}\": {}", traits.name, config.task.name,
      reads_source ? "the task has no sources, which an encoder-decoder reads; choose another kind"
                   : "the task has sources, which only an encoder-decoder reads; set model.kind = "
                     "\"encoder_decoder\""));
}

std::unique_ptr<const SequenceModel<float>> build_net(const Builder<float>& root,
                                                      const ModelConfig& config,
                                                      const ModelSizes& sizes) {
  const ModelTraits& traits = traits_of(config.kind);
  if (traits.is_recurrent()) {
    return std::make_unique<RecurrentModel<float>>(root, recurrent_config(config, sizes));
  }
  if (traits.convolves) {
    return std::make_unique<ConvModel<float>>(root, conv_config(config, sizes));
  }
  if (traits.reads_sources()) {
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
