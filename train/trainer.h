#pragma once

#include <cstdio>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "data/task.h"
#include "figures/attention_maps.h"
#include "figures/figures.h"
#include "train/build_model.h"
#include "train/config/config.h"
#include "train/evaluate.h"
#include "train/metrics.h"

namespace tapehead {

struct TrainRequest {
  Config config;
  /// The run's folder: config.toml, metrics.h5, checkpoint_STEP.h5. Empty: write no files.
  std::filesystem::path folder;
  /// Go on from the folder's newest good checkpoint, or from the start if there is none yet.
  /// `config` must then be that of the run (resume_config()), but for more train.steps.
  bool resume = false;
  int threads = 1;
  std::FILE* progress = nullptr;  ///< where to show how it goes; null: nowhere
  /// Asked after every step and, by any thread, every few rows of a validation; true: write a
  /// checkpoint and stop. A validation that was given up is made again on resume.
  std::function<bool()> stop_requested = [] { return false; };
};

struct TrainSummary {
  Index steps = 0;  ///< optimizer steps made in all, those before a resume included
  double loss = 0;  ///< of the last training step; NaN if none was made
  std::optional<Evaluation> evaluation;  ///< on the whole held-out set; none if interrupted
  Index parameters = 0;
  double seconds = 0;       ///< of this call's training steps, without evaluation and files
  double tokens_per_s = 0;  ///< over these
  std::string digest;       ///< SHA-256 of the parameters
  bool interrupted = false;
  bool reached_target = false;
  std::string sample;  ///< input, expected and predicted, for people; empty if interrupted
  /// What the first held-out row attends to, or to its source if it has one; none if interrupted
  /// or if the model has no attention.
  std::optional<AttentionMaps> attention;
};

/// Trains a model as the configuration says. The same configuration gives the same bits for any
/// number of threads, however often it was interrupted and resumed, and however often it was
/// evaluated; with more train.steps than before, the learning rate follows their schedule from then
/// on. Throws ValueError or IoError if task, configuration or folder cannot be used, if the run is
/// being trained by another process, or if it goes on and its data are not those that it began
/// with; NonFiniteError, leaving the last checkpoint, if a gradient is not finite. A new run that
/// fails before its first checkpoint leaves no folder.
TrainSummary train(const TrainRequest& request);

/// A run that left no files.
struct TrainedModel {
  TrainSummary summary;
  Metrics metrics;
  std::unique_ptr<Task> task;
  std::unique_ptr<Model> model;
};

/// As train(), to the same bits, in memory. Several may run side by side.
TrainedModel train_in_memory(
    const Config& config, int threads,
    const std::function<bool()>& stop_requested = [] { return false; });

}  // namespace tapehead
