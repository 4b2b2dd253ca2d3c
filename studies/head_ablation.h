#pragma once

#include <memory>
#include <string>

#include "train/build_model.h"

namespace tapehead {

/// A model of its own with the same numbers as `model`, built from the same configuration.
std::unique_ptr<Model> copy_of(const Model& model, const Config& config, const ModelSizes& sizes);

/// Takes head `head` (from 0) of the attention layer at path `layer` out of a model (zero-ablation,
/// Michel et al. 2019): what the head contributes to the layer's output, W_O's columns [head * d_v,
/// (head + 1) * d_v) times its mixed values, becomes zero, and nothing else changes. A
/// reparametrised W_O keeps its spectral norm from before. Throws ValueError if there is no such
/// layer or head.
void ablate_head(const ParameterStore<float>& store, const std::string& layer, Index head,
                 Index heads);

}  // namespace tapehead
