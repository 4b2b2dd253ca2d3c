#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "train/config/config_keys.h"

namespace tapehead {

/// Where the value of each key came from, as error messages begin: "run.toml:12", "--set
/// train.batch=4". Keys that are missing have their default.
using ConfigOrigins = std::map<std::string, std::string, std::less<>>;

/// Throws ValueError, beginning with `where`, if the value of `key` is not among those allowed.
void check_key(const Config& config, const ConfigKey& key, std::string_view where);

/// The keys that a model of this kind does not heed: check_config() refuses them unless they have
/// their defaults.
std::vector<std::string_view> keys_without_meaning(ModelKind kind);

/// Throws ValueError for the first value that is impossible, or else for all combinations of values
/// that are, one a line.
void check_config(const Config& config, const ConfigOrigins& origins);

}  // namespace tapehead
