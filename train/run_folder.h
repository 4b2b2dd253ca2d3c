#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "data/task.h"
#include "train/build_model.h"
#include "train/checkpoint.h"
#include "train/config/config.h"
#include "train/run_lock.h"

namespace tapehead {

namespace fs = std::filesystem;

// A run is a folder: config.toml, metrics.h5, checkpoint_STEP.h5, and .lock (run_lock.h).
fs::path config_path(const fs::path& run);
fs::path metrics_path(const fs::path& run);

/// What config.toml says; run_config.h says when that counts. Throws IoError if it is missing or no
/// TOML, ValueError if it is no configuration.
Config read_run_config(const fs::path& run);
void write_run_config(const fs::path& run, const Config& config);

/// True if there is nothing in the folder but the lock that an attempt that failed may leave.
/// Throws IoError if the folder cannot be read.
bool is_empty_run_folder(const fs::path& folder);

/// The folder of a run that begins, locked against other processes, with its config.toml. Unless
/// keep() is called it is removed again, so that a run that fails at once is not in the way of the
/// next attempt.
class NewRun {
 public:
  /// Throws IoError if there is something in the folder already.
  NewRun(const fs::path& run, const Config& config);
  ~NewRun();
  NewRun(const NewRun&) = delete;
  NewRun& operator=(const NewRun&) = delete;

  void keep() { kept_ = true; }

 private:
  fs::path run_;
  bool made_folder_;
  bool kept_ = false;
  RunLock lock_;
};

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

/// Throws IoError if `run` is no run's folder or holds no good checkpoint. The configuration is
/// that of the checkpoint. Warnings, as of another config.toml, go to stderr.
LoadedRun load_run(const fs::path& run);

/// The symbols of a run's tokens: from the checkpoint for text, from the task otherwise.
Vocabulary run_vocabulary(const LoadedRun& run);

}  // namespace tapehead
