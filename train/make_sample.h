#pragma once

#include "data/task.h"
#include "figures/sample.h"
#include "layers/sequence_model.h"

namespace tapehead {

/// What the model makes of held-out row `row`.
Sample make_sample(const SequenceModel<float>& net, const Task& task, Index row = 0);

}  // namespace tapehead
