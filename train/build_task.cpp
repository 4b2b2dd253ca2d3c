#include "train/build_task.h"

#include <optional>

#include "data/task_registry.h"

namespace tapehead {

namespace {

// 0 leaves the choice to the task.
std::optional<Index> unless_zero(Index value) {
  return value == 0 ? std::nullopt : std::optional(value);
}

Layout layout_of(const std::string& kind) {
  if (kind == "encoder") return Layout::kParallel;
  return kind == "encoder_decoder" ? Layout::kSourceTarget : Layout::kCausal;
}

TaskOptions options_of(const Config& config) {
  const TaskConfig& task = config.task;
  TaskOptions options;
  options.name = task.name;
  options.layout = layout_of(config.model.kind);
  if (!task.path.empty()) options.path = task.path;
  options.length = unless_zero(task.length);
  options.symbols = unless_zero(task.symbols);
  options.digits = unless_zero(task.digits);
  options.pairs = unless_zero(task.pairs);
  options.keys = unless_zero(task.keys);
  options.values = unless_zero(task.values);
  options.held_out = unless_zero(task.held_out);
  // These two have no value that means "unset": a task that lacks them is told only of a change.
  const TaskConfig defaults;
  if (task.name == "addition" || task.reversed != defaults.reversed) {
    options.reversed = task.reversed;
  }
  if (task.name == "text" || task.validation != defaults.validation) {
    options.validation = task.validation;
  }
  return options;
}

}  // namespace

std::unique_ptr<Task> build_task(const Config& config) { return make_task(options_of(config)); }

void complete_task(Config& config) {
  const TaskOptions options = with_defaults(options_of(config));
  TaskConfig& task = config.task;
  task.length = options.length.value_or(0);
  task.symbols = options.symbols.value_or(0);
  task.digits = options.digits.value_or(0);
  task.pairs = options.pairs.value_or(0);
  task.keys = options.keys.value_or(0);
  task.values = options.values.value_or(0);
  task.held_out = options.held_out.value_or(0);
}

}  // namespace tapehead
