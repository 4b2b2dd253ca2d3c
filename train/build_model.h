#pragma once

#include <memory>

#include "layers/transformer.h"
#include "train/config.h"

namespace tapehead {

/// What the words of a checked configuration mean for the model.
TransformerConfig transformer_config(const ModelConfig& config, Index vocabulary, Index length);
InitOptions init_options(const ModelConfig& config);

/// A model and its parameters, freshly initialised from the configuration's seed.
struct Model {
  ParameterStore<float> store;
  std::unique_ptr<const Transformer<float>> net;
};
std::unique_ptr<Model> build_model(const Config& config, Index vocabulary, Index length);

}  // namespace tapehead
