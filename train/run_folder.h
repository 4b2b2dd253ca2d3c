#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "data/task.h"
#include "train/build_model.h"
#include "train/checkpoint.h"
#include "train/config.h"

namespace tapehead {

namespace fs = std::filesystem;

// A run is a folder: config.toml, metrics.h5 and checkpoint_STEP.h5.
fs::path config_path(const fs::path& run);
fs::path metrics_path(const fs::path& run);

/// The configuration of a run. Throws IoError if `run` is no run's folder.
Config read_run_config(const fs::path& run);

/// Makes the folder of a new run and writes its configuration. Throws IoError if there is something
/// in it already.
void create_run(const fs::path& run, const Config& config);

/// A folder below `runs` that does not exist yet: runs/NAME-001, ...
fs::path free_run_folder(const std::string& name);

/// A trained model as its newest good checkpoint holds it.
struct LoadedRun {
  Config config;
  CheckpointInfo info;
  fs::path checkpoint;
  std::unique_ptr<Model> model;
  Index context = 0;  ///< time steps that it was trained with
};

/// Throws IoError if `run` is no run's folder or holds no good checkpoint. Warnings go to stderr.
LoadedRun load_run(const fs::path& run);

/// The symbols of a run's tokens: from the checkpoint for text, from the task otherwise.
Vocabulary run_vocabulary(const LoadedRun& run);

}  // namespace tapehead
