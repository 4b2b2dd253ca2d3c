#include <fmt/format.h>

#include "data/task_info.h"
#include "train/config/config_keys.h"
#include "train/config/presets.h"

namespace tapehead {

namespace {

// What the words of a section's keys mean.
std::string word_tables(std::string_view section) {
  std::string text;
  for (const ConfigKey& key : config_keys()) {
    const auto words = key.words();
    if (key.section() != section || words.empty()) continue;
    text += fmt::format("\n| `{}` | meaning |\n| --- | --- |\n", key.name);
    for (const WordMeaning& word : words) {
      text += fmt::format("| `\"{}\"` | {} |\n", word.name, word.meaning);
    }
  }
  return text;
}

std::string key_tables() {
  std::string text;
  std::string_view section;
  const Config defaults;
  for (const ConfigKey& key : config_keys()) {
    if (key.section() != section) {
      text += word_tables(section);
      section = key.section();
      text += fmt::format(
          "{}### `[{}]`\n\n| key | default | allowed | meaning |\n| --- | --- | --- | --- |\n",
          text.empty() ? "" : "\n", section);
    }
    text += fmt::format("| `{}` | `{}` | {} | {} |\n", key.short_name(), key.value_text(defaults),
                        key.allowed_text(), key.meaning);
  }
  return text + word_tables(section);
}

// The keys of the tasks that have limits, as the tasks check them.
std::string limit_table() {
  std::string text =
      "\n### Limits of the tasks' keys\n\n| task | key | default | from, to |\n"
      "| --- | --- | --- | --- |\n";
  for (const TaskInfo& info : task_infos()) {
    for (const TaskKey& key : info.keys) {
      if (key.limits.empty()) continue;
      text += fmt::format("| {} | `{}` | {} | {} |\n", info.name, key.name, key.default_text(),
                          key.limits);
    }
  }
  return text;
}

std::string settings_text(const NamedSettings& settings) {
  if (settings.toml.empty())
    return fmt::format("\n`{}`: {}. As the built-in defaults.\n", settings.name, settings.meaning);
  return fmt::format("\n`{}`: {}.\n\n```toml\n{}```\n", settings.name, settings.meaning,
                     settings.toml);
}

}  // namespace

std::string configuration_reference() {
  std::string text = key_tables() + limit_table() + "\n### Defaults of the tasks\n";
  for (const NamedSettings& settings : task_defaults()) text += settings_text(settings);
  text += "\n### Presets\n";
  for (const NamedSettings& settings : presets()) text += settings_text(settings);
  return text;
}

}  // namespace tapehead
