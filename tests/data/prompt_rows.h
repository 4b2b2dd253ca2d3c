#pragma once

#include <memory>
#include <string>

#include "data/prompt_task.h"

namespace tapehead::testing {

template <typename E, typename... Args>
PromptTask make(Layout layout, Args... args) {
  return PromptTask(std::make_unique<E>(args...), layout);
}

/// Row `row` of a batch as drawn in docstrings: two lines, '_' for targets that do not count.
inline std::string drawn(const Task& task, const Batch& batch, Index row) {
  std::string inputs;
  std::string targets;
  for (Index t = 0; t < batch.length; ++t) {
    const auto i = static_cast<std::size_t>(row * batch.length + t);
    inputs += task.symbol(batch.inputs[i]);
    targets += batch.targets[i] == kIgnoreTarget ? "_" : task.symbol(batch.targets[i]);
  }
  return inputs + "\n" + targets;
}

inline std::string prompt_text(const Task& task, const Batch& batch, Index row) {
  const std::string line = drawn(task, batch, row);
  return line.substr(0, line.find('>'));
}

}  // namespace tapehead::testing
