#pragma once

#include <vector>

#include "data/task.h"
#include "layers/sequence_model.h"
#include "studies/head_measures.h"

namespace tapehead {

/// The attention layers of a model, as it reads rows of the task.
std::vector<HeadLayer> layers_of(const SequenceModel<float>& net, const Task& task);

}  // namespace tapehead
