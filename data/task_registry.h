#pragma once

#include <memory>

#include "data/task.h"
#include "data/task_info.h"
#include "data/task_options.h"

namespace tapehead {

/// `options` with every key of its task set. Throws ValueError if there is no such task, if a key
/// is set that it does not have, or if one is missing that has no default.
TaskOptions with_defaults(TaskOptions options);

/// Throws as with_defaults() does, and ValueError or IoError if a value or file is impossible.
std::unique_ptr<Task> make_task(const TaskOptions& options);

}  // namespace tapehead
