#include "train/config/config.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/error.h"
#include "train/config/build_task.h"
#include "train/config/config_check.h"
#include "train/config/config_keys.h"
#include "train/config/config_reader.h"
#include "train/config/presets.h"

namespace tapehead {

namespace {

std::string read_file(const std::string& path) {
  if (std::filesystem::is_directory(path)) {
    throw IoError(fmt::format("{}: this is a folder; a configuration is a TOML file", path));
  }
  if (std::filesystem::exists(path) && !std::filesystem::is_regular_file(path)) {
    throw IoError(
        fmt::format("{}: this is a device or a pipe; a configuration is a TOML file", path));
  }
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    throw IoError(fmt::format("{}: cannot open the configuration: {}", path, std::strerror(errno)));
  }
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// None if there is no such task, which is for the checks to say.
void lay_task_defaults(std::string_view task, ConfigReader& reader) {
  for (const NamedSettings& defaults : task_defaults()) {
    if (defaults.name != task) continue;
    reader.apply_toml(defaults.toml, fmt::format("defaults of {}", task));
  }
}

}  // namespace

Config default_config(std::string_view task, ModelKind kind) {
  ConfigReader reader;
  lay_task_defaults(task, reader);
  reader.leave_alone(keys_without_meaning(kind));
  Config config = reader.draft();
  config.task.name = task;
  config.model.kind = kind;
  return config;
}

Config completed(Config config) {
  check_config(config);
  complete_task(config);
  return config;
}

Config resolve_config(const ConfigSources& sources) {
  const NamedSettings* preset = sources.preset.empty() ? nullptr : &find_preset(sources.preset);
  const std::string file = sources.file.empty() ? "" : read_file(sources.file);
  const auto lay_preset = [&](ConfigReader& reader) {
    if (preset != nullptr) reader.apply_toml(preset->toml, fmt::format("preset {}", preset->name));
  };
  const auto lay_users = [&](ConfigReader& reader) {
    reader.apply_toml(file, sources.file);
    for (const Setting& setting : sources.settings) reader.apply(setting);
  };

  // The task and the kind of model that are chosen in the end say what lies below the rest.
  ConfigReader chosen;
  lay_preset(chosen);
  lay_users(chosen);

  ConfigReader reader;
  lay_task_defaults(chosen.draft().task.name, reader);
  lay_preset(reader);
  reader.leave_alone(keys_without_meaning(chosen.draft().model.kind));
  lay_users(reader);

  Config config = reader.finish();
  complete_task(config);
  return config;
}

Config parse_config(std::string_view toml, std::string_view source) {
  ConfigReader reader;
  reader.apply_toml(toml, source);
  return reader.finish();
}

std::vector<ConfigDifference> differences(const Config& ours, const Config& theirs) {
  std::vector<ConfigDifference> result;
  for (const ConfigKey& key : config_keys()) {
    ConfigDifference d{std::string(key.name), key.value_text(ours), key.value_text(theirs)};
    if (d.ours != d.theirs) result.push_back(std::move(d));
  }
  return result;
}

std::string to_toml(const Config& config) {
  std::string text;
  std::string_view section;
  for (const ConfigKey& key : config_keys()) {
    if (key.section() != section) {
      section = key.section();
      text += fmt::format("{}[{}]\n", text.empty() ? "" : "\n", section);
    }
    text += fmt::format("{} = {}\n", key.short_name(), key.value_text(config));
  }
  return text;
}

}  // namespace tapehead
