#pragma once

#include <span>
#include <string_view>

namespace tapehead {

/// Named settings, as TOML over the built-in defaults.
struct NamedSettings {
  std::string_view name;
  std::string_view meaning;  ///< what it is, and its source
  std::string_view toml;
};

/// The settings that each task starts from; named as task.name.
std::span<const NamedSettings> task_defaults();

/// The recipes for --preset.
std::span<const NamedSettings> presets();

/// The preset of that name. Throws ValueError, listing those there are.
const NamedSettings& find_preset(std::string_view name);

}  // namespace tapehead
