#pragma once

#include "layers/transformer_trunk.h"
#include "train/config/config.h"

namespace tapehead {

/// What the configuration of a model says of a transformer, beside the length of its sequences,
/// which the task knows. Of an encoder-decoder: of its encoder, but for `causal` also of its
/// decoder.
TrunkConfig trunk_config(const ModelConfig& config);

}  // namespace tapehead
