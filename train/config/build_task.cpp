#include "train/config/build_task.h"

#include <algorithm>
#include <optional>
#include <type_traits>

#include <fmt/format.h>

#include "data/task_registry.h"
#include "train/config/config_keys.h"

namespace tapehead {

namespace {

// Calls f(name, value in the configuration, default value, option) for each key of a task.
template <typename F>
void for_each_task_key(Config& config, TaskOptions& options, F&& f) {
  Config defaults;
  for (const TaskField& field : task_fields()) {
    const ConfigKey* key = find_config_key(fmt::format("task.{}", field.name));
    std::visit(
        [&](auto reach, auto member) {
          using Value = std::decay_t<decltype(reach(config))>;
          using Option = std::decay_t<decltype(options.*member)>;
          if constexpr (std::is_same_v<Option, std::optional<Value>>) {
            f(field.name, reach(config), reach(defaults), options.*member);
          }
        },
        key->field, field.member);
  }
}

// Sizes and the path have a value that leaves the choice to the task, 0 or nothing.
template <typename Value>
constexpr bool kMayBeLeft = std::is_same_v<Value, Index> || std::is_same_v<Value, std::string>;

TaskOptions options_of(const Config& config) {
  TaskOptions options;
  options.name = config.task.name;
  options.layout = traits_of(config.model.kind).layout;
  const TaskInfo info = task_info(options.name);
  const auto is_own = [&info](std::string_view name) {
    return std::ranges::find(info.keys, name, &TaskKey::name) != info.keys.end();
  };
  Config given = config;
  for_each_task_key(
      given, options,
      [&](std::string_view name, const auto& value, const auto& default_value, auto& option) {
        using Value = std::decay_t<decltype(value)>;
        // Of the other keys, a task that lacks them is told only of a change.
        const bool is_set =
            kMayBeLeft<Value> ? value != Value() : is_own(name) || value != default_value;
        if (is_set) option = value;
      });
  return options;
}

}  // namespace

std::unique_ptr<Task> build_task(const Config& config) { return make_task(options_of(config)); }

void complete_task(Config& config) {
  TaskOptions options = with_defaults(options_of(config));
  for_each_task_key(config, options, [](std::string_view, auto& value, const auto&, auto& option) {
    using Value = std::decay_t<decltype(value)>;
    if constexpr (kMayBeLeft<Value>) value = option.value_or(Value());
  });
}

}  // namespace tapehead
