#pragma once

#include <string>

#include "train/checkpoint.h"
#include "train/config/config.h"

namespace tapehead {

/// SHA-256 of the file that the task reads, as 64 hexadecimal digits; empty if it reads none, or
/// one that can be read only once (a pipe). Throws IoError if the file cannot be read.
std::string data_digest(const Config& config);

/// Throws IoError, naming the file, if `digest`, the data_digest() of `config`, is not that of the
/// file that the checkpoint was trained on.
void check_data(const Config& config, const std::string& digest, const CheckpointInfo& info);

}  // namespace tapehead
