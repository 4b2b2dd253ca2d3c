#pragma once

#include <memory>

#include "data/task.h"
#include "layers/conv_model.h"
#include "layers/encoder_decoder.h"
#include "layers/recurrent_model.h"
#include "layers/transformer.h"
#include "train/config/config.h"

namespace tapehead {

/// What a task asks of a model.
struct ModelSizes {
  Index vocabulary = 0, length = 0;
  Index source_vocabulary = 0;  ///< 0: that of the targets
  Index source_length = 0;      ///< 0: no sources
  Index features = 0;           ///< real numbers of a time step; 0: tokens
  Index outputs = 0;            ///< real numbers to predict; 0: tokens
};
ModelSizes model_sizes(const Task& task);

/// What the words of a checked configuration mean for the model, by its kind.
TransformerConfig transformer_config(const ModelConfig& config, const ModelSizes& sizes);
EncoderDecoderConfig encoder_decoder_config(const ModelConfig& config, const ModelSizes& sizes);
RecurrentModelConfig recurrent_config(const ModelConfig& config, const ModelSizes& sizes);
ConvModelConfig conv_config(const ModelConfig& config, const ModelSizes& sizes);
InitOptions init_options(const ModelConfig& config);

/// A model and its parameters, freshly initialised from the configuration's seed.
struct Model {
  explicit Model(ParameterStore<float>::Mode mode) : store(mode) {}

  ParameterStore<float> store;
  std::unique_ptr<const SequenceModel<float>> net;
};
/// With shapes only, the model is cheap whatever its sizes, and cannot compute. Throws ValueError,
/// saying what to change, if the kind of model cannot do what the task asks.
std::unique_ptr<Model> build_model(
    const Config& config, const ModelSizes& sizes,
    ParameterStore<float>::Mode mode = ParameterStore<float>::Mode::kValues);

}  // namespace tapehead
