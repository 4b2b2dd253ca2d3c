#include "train/config/config_reader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <system_error>

#include "base/error.h"
#include "train/config/config_keys.h"
#include "train/config/words.h"

namespace tapehead {

namespace {

// --- Values --------------------------------------------------------------------------------------

// Each reads one type, and answers false if the node holds another.

bool read(const toml::node& node, bool& out) {
  const auto value = node.value_exact<bool>();
  if (value) out = *value;
  return value.has_value();
}

bool read(const toml::node& node, Index& out) {
  const auto value = node.value_exact<std::int64_t>();
  if (value) out = *value;
  return value.has_value();
}

bool read(const toml::node& node, double& out) {
  if (!node.is_number()) return false;
  out = node.value<double>().value();
  return true;
}

bool read(const toml::node& node, std::string& out) {
  const auto value = node.value_exact<std::string>();
  if (value) out = *value;
  return value.has_value();
}

bool read(const toml::node& node, std::array<double, 2>& out) {
  const toml::array* array = node.as_array();
  return array != nullptr && array->size() == 2 && read((*array)[0], out[0]) &&
         read((*array)[1], out[1]);
}

template <Enumeration Enum>
bool read(const toml::node& node, Enum& out) {
  std::string name;
  if (!read(node, name)) return false;
  const auto value = value_of<Enum>(name);
  if (value) out = *value;
  return value.has_value();
}

bool read(const toml::node& node, AttentionScale& out) {
  AttentionScale scale;
  if (read(node, scale.number)) {
    scale.kind = AttentionScale::Kind::kNumber;
  } else if (!read(node, scale.kind)) {
    return false;
  }
  out = scale;
  return true;
}

bool read(const toml::node& node, ProbeChoice& out) {
  ProbeChoice choice;
  if (read(node, choice.mode)) {
    out = choice;
    return true;
  }
  std::string list;
  if (!read(node, list)) return false;
  choice.mode = ProbeChoice::Mode::kListed;
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t comma = std::min(list.find(',', begin), list.size());
    const auto kind = value_of<ProbeKind>(std::string_view(list).substr(begin, comma - begin));
    if (!kind || choice.lists(*kind)) return false;
    choice.listed.push_back(*kind);
    begin = comma + 1;
  }
  out = choice;
  return true;
}

// The value as in the file, with its type: "\"big\" (a string)".
std::string describe(const toml::node& node) {
  if (const auto v = node.value_exact<std::string>()) return quoted_text(*v) + " (a string)";
  if (const auto v = node.value_exact<std::int64_t>())
    return fmt::format("{} (a whole number)", *v);
  if (const auto v = node.value_exact<double>()) return float_text(*v) + " (a float)";
  if (const auto v = node.value_exact<bool>()) return fmt::format("{} (a truth value)", *v);
  if (const toml::array* v = node.as_array()) return fmt::format("a list of {}", v->size());
  return node.is_table() ? "a section" : "a date or time";
}

// --- Keys ----------------------------------------------------------------------------------------

[[noreturn]] void throw_unknown(std::string_view where, std::string_view name) {
  const std::string_view nearest = nearest_config_key(name);
  const std::string hint = nearest.empty() ? "all keys are listed in docs/configuration.md"
                                           : fmt::format("did you mean '{}'?", nearest);
  throw ValueError(fmt::format("{}: unknown key '{}'; {}", where, name, hint));
}

void assign(Config& config, const ConfigKey& key, const toml::node& node, std::string_view where) {
  const bool fits =
      std::visit([&](const auto& field) { return read(node, field(config)); }, key.field);
  if (!fits) {
    const auto word = node.value_exact<std::string>();
    const bool unknown_word = word && !key.words().empty();
    throw ValueError(fmt::format("{}: {} = {}; it must be {}", where, key.name,
                                 unknown_word ? quoted_text(*word) : describe(node),
                                 key.allowed_text()));
  }
  check_key(config, key, where);
}

toml::table parse_document(std::string_view text, std::string_view source) {
  try {
    return toml::parse(text, source);
  } catch (const toml::parse_error& e) {
    throw IoError(
        fmt::format("{}:{}: this is not TOML: {}", source, e.source().begin.line, e.description()));
  }
}

// --- Settings ------------------------------------------------------------------------------------

std::string option_text(const Setting& setting) {
  return setting.option.empty() ? "--set " + setting.assignment : setting.option;
}

struct KeyAndValue {
  std::string key;
  std::string value;
};

KeyAndValue parts_of(const Setting& setting) {
  const std::size_t equals = std::min(setting.assignment.find('='), setting.assignment.size());
  const auto trimmed = [](std::string_view text) {
    const std::size_t first = std::min(text.find_first_not_of(" \t"), text.size());
    return std::string(text.substr(first, text.find_last_not_of(" \t") + 1 - first));
  };
  const std::string_view text = setting.assignment;
  const std::size_t value = std::min(equals + 1, text.size());
  return {trimmed(text.substr(0, equals)), trimmed(text.substr(value))};
}

// Whether `value` is a number beyond what TOML can hold: 64 bits, or the range of doubles.
bool is_beyond_range(std::string_view value) {
  if (value.starts_with('+')) value.remove_prefix(1);
  const auto fails = [value](auto number) {
    const char* end = value.data() + value.size();
    const auto [stop, error] = std::from_chars(value.data(), end, number);
    return stop == end && error == std::errc::result_out_of_range;
  };
  return fails(std::int64_t{}) || fails(double{});
}

// The value as TOML; what is no TOML value is a bare word.
toml::table parse_value(const std::string& value, bool is_text) {
  const bool quoted = value.starts_with('"') || value.starts_with('\'');
  if (!is_text || quoted) {
    try {
      toml::table parsed = toml::parse("value = " + value);
      if (parsed.size() == 1) return parsed;
    } catch (const toml::parse_error&) {
      // a bare word
    }
  }
  toml::table bare;
  bare.insert("value", value);
  return bare;
}

}  // namespace

ConfigReader::ConfigReader(const Config& config, const std::string& source) : config_(config) {
  const Config defaults;
  for (const ConfigDifference& d : differences(config, defaults)) origins_[d.key] = source;
}

template <typename Step>
void ConfigReader::keep_mistake(const Step& step) {
  try {
    step();
  } catch (const ValueError& mistake) {
    mistakes_.emplace_back(mistake.what());
  }
}

void ConfigReader::apply_toml(std::string_view text, std::string_view source) {
  const toml::table document = parse_document(text, source);
  const auto where = [&](const auto& place) {
    return fmt::format("{}:{}", source, place.source().begin.line);
  };
  for (const auto& [section_key, section] : document) {
    const std::string section_name(section_key.str());
    const toml::table* table = section.as_table();
    if (table == nullptr) {
      keep_mistake([&, &at = section_key] { throw_unknown(where(at), section_name); });
      continue;
    }
    for (const auto& [short_key, value] : *table) {
      keep_mistake([&, &at = short_key, &node = value] {
        const std::string name = fmt::format("{}.{}", section_name, at.str());
        const ConfigKey* key = find_config_key(name);
        if (key == nullptr) throw_unknown(where(at), name);
        assign(config_, *key, node, where(node));
        origins_.insert_or_assign(name, where(node));
      });
    }
  }
}

void ConfigReader::apply(const Setting& setting) {
  keep_mistake([&] { assign_setting(setting); });
}

void ConfigReader::assign_setting(const Setting& setting) {
  const std::string where = option_text(setting);
  if (setting.assign) {
    const ConfigKey& key = config_key_at(config_, setting.assign(config_));
    check_key(config_, key, where);
    origins_.insert_or_assign(std::string(key.name), where);
    return;
  }
  const auto [name, value] = parts_of(setting);
  if (setting.assignment.find('=') == std::string::npos) {
    throw ValueError(fmt::format("{}: there is no '='; write KEY=VALUE", where));
  }
  if (name.empty()) {
    throw ValueError(fmt::format("{}: there is no key before the '='; write KEY=VALUE", where));
  }
  const ConfigKey* key = find_config_key(name);
  if (key == nullptr) throw_unknown(where, name);
  const bool is_text = key->is_text();
  if (!is_text && is_beyond_range(value)) {
    throw ValueError(fmt::format("{}: {} = {}: the number does not fit in 64 bits; it must be {}",
                                 where, name, value, key->allowed_text()));
  }
  const toml::table parsed = parse_value(value, is_text);
  assign(config_, *key, *parsed.get("value"), where);
  origins_.insert_or_assign(name, where);
}

void ConfigReader::leave_alone(std::span<const std::string_view> keys) {
  Config defaults;
  for (const std::string_view name : keys) {
    std::visit([&](const auto field) { field(config_) = field(defaults); },
               find_config_key(name)->field);
    origins_.erase(std::string(name));
  }
}

Config ConfigReader::finish() const {
  if (!mistakes_.empty()) throw ValueError(fmt::format("{}", fmt::join(mistakes_, "\n")));
  check_config(config_, origins_);
  return config_;
}

}  // namespace tapehead
