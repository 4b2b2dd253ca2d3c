#pragma once

#include <array>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

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

/// Words, separated by '|', of a key that is text. What an enumeration may be says its table of
/// words.
struct Words {
  std::string_view list;
};

/// No restriction beyond the type.
struct Anything {};

using Allowed = std::variant<Anything, IntegerRange, RealRange, Words>;

/// How to reach the value of a key.
template <typename Value>
using Reach = Value& (*)(Config&);

/// Which alternative it is says the key's type.
using Field = std::variant<
    Reach<bool>, Reach<Index>, Reach<double>, Reach<std::string>, Reach<std::array<double, 2>>,
    Reach<ModelKind>, Reach<PositionKind>, Reach<AttentionScores>, Reach<AttentionScale>,
    Reach<SharedProjections>, Reach<NormPlacement>, Reach<NormKind>, Reach<Activation>,
    Reach<InitOptions::Scheme>, Reach<OptimizerKind>, Reach<ScheduleKind>, Reach<ProbeChoice>>;

/// A word that a key may be, and what it means.
struct WordMeaning {
  std::string_view name, meaning;
};

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
  /// True if every value is text: a word in any case, or a path.
  bool is_text() const;
  /// The words for its values, with their meanings; none for a key that has no table of them.
  std::vector<WordMeaning> words() const;
};

/// Every key, by section, in the order of printing.
std::span<const ConfigKey> config_keys();

/// The key whose field in `config` is at `address`. Throws std::logic_error if there is none.
const ConfigKey& config_key_at(Config& config, const void* address);

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
