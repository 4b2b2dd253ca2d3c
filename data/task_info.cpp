#include "data/task_info.h"

#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"

namespace tapehead {

std::string TaskKey::default_text() const {
  return std::visit(
      [](const auto& value) {
        if constexpr (std::is_same_v<std::decay_t<decltype(value)>, std::monostate>) {
          return std::string();
        } else {
          return fmt::format("{}", value);
        }
      },
      default_value);
}

std::vector<std::string> task_names() {
  std::vector<std::string> names;
  for (auto& info : task_infos()) names.push_back(std::move(info.name));
  return names;
}

TaskInfo task_info(std::string_view name) {
  for (auto& info : task_infos()) {
    if (info.name == name) return info;
  }
  std::error_code error;
  const std::string hint =
      std::filesystem::is_regular_file(name, error)
          ? fmt::format("; '{}' is a file: use task text (or dataset for HDF5) with this path",
                        name)
          : "";
  throw ValueError(fmt::format("there is no task '{}'; tasks are {}{}", name,
                               fmt::join(task_names(), ", "), hint));
}

}  // namespace tapehead
