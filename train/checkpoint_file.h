#pragma once

#include <filesystem>

#include "train/checkpoint.h"

namespace tapehead {

/// Writes the file whole or not at all: to a temporary file, synced, sealed and renamed.
template <typename Scalar>
void save_checkpoint(const std::filesystem::path& path, const Checkpoint<Scalar>& checkpoint);

/// Verifies the whole file, then reads it. Throws IoError if it is missing, damaged, of another
/// format, a newer version or another precision.
template <typename Scalar>
Checkpoint<Scalar> load_checkpoint(const std::filesystem::path& path);

}  // namespace tapehead
