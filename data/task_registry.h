#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/task.h"

namespace tapehead {

/// Which task, and how difficult. Each task has its own keys; those that are not set take its
/// defaults, and one that the task does not have is an error.
struct TaskOptions {
  std::string name = "reverse";
  Layout layout = Layout::kCausal;
  std::optional<std::string> path;   ///< text: the file; dataset: the HDF5 file
  std::optional<Index> length;       ///< copy, reverse, sort: symbols of a prompt; text: context
  std::optional<Index> symbols;      ///< copy, reverse, sort: different symbols
  std::optional<Index> digits;       ///< addition: digits of a number
  std::optional<bool> reversed;      ///< addition: the answer's last digit first
  std::optional<Index> pairs;        ///< recall: pairs of a prompt
  std::optional<Index> keys;         ///< recall: different keys
  std::optional<Index> values;       ///< recall: different values
  std::optional<Index> held_out;     ///< all but text and dataset: held-out prompts
  std::optional<double> validation;  ///< text: held-out part of the file
};

/// A key of a task, for people.
struct TaskKey {
  std::string name;
  std::string default_value;  ///< empty if the key must be given
  std::string description;
};

/// A task, for people.
struct TaskInfo {
  std::string name;
  std::string description;  ///< one line
  std::string example;      ///< one line
  std::vector<TaskKey> keys;
};

/// All tasks, in the order in which to show them.
std::vector<TaskInfo> task_infos();
std::vector<std::string> task_names();
/// Throws ValueError, listing the tasks there are, if there is none called `name`.
TaskInfo task_info(std::string_view name);

/// `options` with every key of its task set. Throws ValueError if there is no such task, if a key
/// is set that it does not have, or if one is missing that has no default.
TaskOptions with_defaults(TaskOptions options);

/// Throws as with_defaults() does, and ValueError or IoError if a value or file is impossible.
std::unique_ptr<Task> make_task(const TaskOptions& options);

}  // namespace tapehead
