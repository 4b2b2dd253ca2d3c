#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/types.h"

namespace tapehead {

/// What a key is where it is not set; nothing if it must be given.
using TaskDefault = std::variant<std::monostate, Index, double, bool>;

/// A key of a task.
struct TaskKey {
  std::string name;
  TaskDefault default_value;
  std::string description;
  std::string limits = {};  ///< "1 to 4096", "0 to length"; empty where anything goes

  bool must_be_given() const { return default_value.index() == 0; }
  /// Empty if it must be given.
  std::string default_text() const;
};

/// A task, for people.
struct TaskInfo {
  std::string name;
  std::string description;  ///< one line
  std::string example;      ///< one line
  std::string measure;      ///< what counts as success
  std::string chance;       ///< what guessing reaches in this measure, with the default keys
  std::string source;       ///< where the task comes from
  std::vector<TaskKey> keys;
};

/// All tasks, in the order in which to show them.
std::vector<TaskInfo> task_infos();
std::vector<std::string> task_names();
/// Throws ValueError, listing the tasks there are, if there is none called `name`.
TaskInfo task_info(std::string_view name);

}  // namespace tapehead
