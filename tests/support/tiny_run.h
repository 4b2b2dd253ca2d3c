#pragma once

#include "train/run_folder.h"
#include "train/trainer.h"

namespace tapehead::testing {

/// A run of well under a second, by `settings` of its own.
inline Config tiny_run(const std::vector<Setting>& settings = {}) {
  std::vector<Setting> all = {
      {"task.name=reverse"},       {"task.length=4"},  {"task.symbols=5"}, {"model.d_model=16"},
      {"model.layers=1"},          {"model.heads=2"},  {"model.d_ff=32"},  {"model.dropout=0.1"},
      {"train.batch=16"},          {"train.shards=3"}, {"train.steps=24"}, {"train.eval_every=0"},
      {"train.checkpoint_every=5"}};
  all.insert(all.end(), settings.begin(), settings.end());
  return resolve_config({.settings = all});
}

inline TrainSummary run(const Config& config, const fs::path& folder, int threads = 1) {
  TrainRequest request;
  request.config = config;
  request.folder = folder;
  request.threads = threads;
  return train(request);
}

inline TrainSummary resume(const Config& config, const fs::path& folder) {
  TrainRequest request;
  request.config = config;
  request.folder = folder;
  request.resume = true;
  return train(request);
}

/// Runs until `steps` have been made, then stops as Ctrl-C does. Not for runs that validate.
inline TrainSummary run_until(const Config& config, const fs::path& folder, int steps) {
  TrainRequest request;
  request.config = config;
  request.folder = folder;
  int made = 0;
  request.stop_requested = [&made, steps] { return ++made == steps; };
  return train(request);
}

}  // namespace tapehead::testing
