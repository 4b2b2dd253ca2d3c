#pragma once

#include <array>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "train/config/config.h"

namespace tapehead {

/// Whole numbers in [low, high].
struct IntegerRange {
  Index low = 0;
  Index high = std::numeric_limits<Index>::max();
};

/// Finite numbers from `low` to `high`; an open end is not included.
struct RealRange {
  double low = 0;
  double high = std::numeric_limits<double>::infinity();
  bool low_open = false;
  bool high_open = false;
};

/// Words, separated by '|'. A WordOrNumber may also be any number that
/// float32 holds.
struct Words {
  std::string_view list;
};

/// One of the words `alone`, or some of the words `list` with commas between them, each once. Both
/// are separated by '|'.
struct WordLists {
  std::string_view alone, list;
};

/// No restriction beyond the type.
struct Anything {};

using Allowed = std::variant<Anything, IntegerRange, RealRange, Words, WordLists>;

/// How to reach the value of a key; which alternative it is says the key's type.
using Field = std::variant<bool& (*)(Config&), Index& (*)(Config&), double& (*)(Config&),
                           std::string& (*)(Config&), std::array<double, 2>& (*)(Config&),
                           WordOrNumber& (*)(Config&)>;

/// All that is known of a key. Parsing, checking, printing and the documentation follow from it.
struct ConfigKey {
  std::string_view name;  ///< with its section: "model.d_model"
  Field field;
  Allowed allowed;
  std::string_view meaning;

  std::string_view section() const { return name.substr(0, name.find('.')); }
  std::string_view short_name() const { return name.substr(name.find('.') + 1); }
  /// The value as TOML.
  std::string value_text(Config config) const;
  /// What a value must be: "a whole number >= 1".
  std::string allowed_text() const;
  /// True if the value is among those allowed.
  bool holds_for(Config config) const;
};

/// Every key, by section, in the order of printing.
std::span<const ConfigKey> config_keys();

/// The key of that name, or null.
const ConfigKey* find_config_key(std::string_view name);

/// The key that somebody who wrote `name` most likely meant; empty if none is near.
std::string_view nearest_config_key(std::string_view name);

/// A number as TOML: the shortest text that reads back with the same bits, always a float.
std::string float_text(double value);
/// A quoted TOML string.
std::string quoted_text(std::string_view text);

/// The part of docs/configuration.md that is made from the tables: keys, defaults of the tasks,
/// presets.
std::string configuration_reference();

}  // namespace tapehead
