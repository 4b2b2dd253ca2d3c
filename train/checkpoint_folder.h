#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "train/checkpoint.h"

namespace tapehead {

/// The checkpoints in a folder, newest first: the files named checkpoint_STEP.h5.
std::vector<std::filesystem::path> list_checkpoints(const std::filesystem::path& folder);

/// Saves the checkpoint as checkpoint_STEP.h5 in `folder`, then removes all but the two newest.
/// Returns its path.
template <typename Scalar>
std::filesystem::path save_newest_checkpoint(const std::filesystem::path& folder,
                                             const Checkpoint<Scalar>& checkpoint);

template <typename Scalar>
struct LoadedCheckpoint {
  Checkpoint<Scalar> checkpoint;
  std::filesystem::path path;
};

/// The newest checkpoint in `folder` that is undamaged. `warn` is told of every newer one that had
/// to be passed over, and why. Throws IoError if there is none, or none that can be read; then
/// nothing is warned of, as the error names them all.
template <typename Scalar>
LoadedCheckpoint<Scalar> load_newest_checkpoint(
    const std::filesystem::path& folder, const std::function<void(const std::string&)>& warn);

}  // namespace tapehead
