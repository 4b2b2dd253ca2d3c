#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "train/config/config.h"
#include "train/config/config_check.h"

namespace tapehead {

/// A configuration in the making: sources are laid over it one by one, and each key remembers where
/// its value came from. The only place that knows the TOML library.
class ConfigReader {
 public:
  ConfigReader() = default;
  /// Begins with `config`; `source` is where its values came from, in errors.
  ConfigReader(const Config& config, const std::string& source);

  /// Lays a TOML document over it. Unknown keys, wrong types and impossible values are kept for
  /// finish(), each with `source` and the line. Throws IoError if it is no TOML.
  void apply_toml(std::string_view text, std::string_view source);
  /// Lays one setting over it; mistakes are kept too.
  void apply(const Setting& setting);
  /// What was read so far, unchecked.
  const Config& draft() const { return config_; }
  /// Gives the keys their built-in defaults again.
  void leave_alone(std::span<const std::string_view> keys);
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

}  // namespace tapehead
