#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "train/config.h"
#include "train/config_check.h"

namespace tapehead {

/// A configuration in the making: sources are laid over it one by one, and each key remembers where
/// its value came from. The only place that knows the TOML library.
class ConfigReader {
 public:
  /// Lays a TOML document over it. Unknown keys, wrong types and impossible values are kept for
  /// finish(), each with `source` and the line. Throws IoError if it is no TOML.
  void apply_toml(std::string_view text, std::string_view source);
  /// Lays one KEY=VALUE over it; mistakes are kept too.
  void apply(const Setting& setting);
  /// The configuration. Throws ValueError with all mistakes, or, if there are none, with all
  /// combinations of values that are impossible.
  Config finish() const;

 private:
  template <typename Step>
  void keep_mistake(const Step& step);
  void assign_setting(const Setting& setting);

  std::vector<std::string> mistakes_;
  Config config_;
  ConfigOrigins origins_;
};

/// The value of task.name in a TOML document; empty if it has none.
std::string task_named_by(std::string_view toml, std::string_view source);
/// The value of task.name in a setting; empty if it sets something else.
std::string task_named_by(const Setting& setting);

}  // namespace tapehead
