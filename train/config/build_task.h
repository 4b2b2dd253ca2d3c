#pragma once

#include <memory>

#include "data/task.h"
#include "train/config/config.h"

namespace tapehead {

/// The task that `config` describes, laid out for its kind of model; keys that are 0 are left to
/// the task. Throws as make_task() does.
std::unique_ptr<Task> build_task(const Config& config);

/// Sets the keys that are left to the task to what the task takes for them. Throws ValueError if a
/// key is set that the task does not have.
void complete_task(Config& config);

}  // namespace tapehead
