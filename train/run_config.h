#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "train/checkpoint.h"
#include "train/config/config.h"

namespace tapehead {

// The configuration of a run is the one stored in its checkpoints: the weights belong to it. Before
// there is a checkpoint, and for people, it is in the folder's config.toml.

/// The configuration that the checkpoint `path` of the folder `run` was made with. Only task.path
/// is that of config.toml, where a file that was moved can be found again: check_data() says
/// whether it is the same.
Config stored_config(const CheckpointInfo& info, const std::filesystem::path& path,
                     const std::filesystem::path& run);

/// Tells `warn`, in one line, if config.toml of the folder `run` is missing, cannot be read or says
/// something else than `stored`, which is what counts.
void warn_if_edited(const std::filesystem::path& run, const Config& stored,
                    const std::function<void(const std::string&)>& warn);

/// Throws ValueError naming key and values if config.toml of the folder `run` says something else
/// than `stored`; of train.steps only if `steps_count`. A missing file says nothing.
void check_not_edited(const std::filesystem::path& run, const Config& stored, bool steps_count);

/// Throws ValueError naming key and values unless a run with the configuration `stored` can go on
/// with `wanted`: equal, but for train.steps, which may be larger.
void check_goes_on(const std::filesystem::path& run, const Config& stored, const Config& wanted);

/// The configuration with which the run in the folder `run` goes on, for `steps` steps in all if
/// that is given. Throws IoError if the folder holds no run, ValueError if config.toml is not what
/// the newest checkpoint holds or if `steps` are fewer than it has.
Config resume_config(const std::filesystem::path& run, std::optional<Index> steps = std::nullopt);

}  // namespace tapehead
