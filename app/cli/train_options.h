#pragma once

#include <string>
#include <vector>

#include "train/trainer.h"

namespace tapehead::cli {

/// What `tapehead train` was asked for, as typed.
struct TrainOptions {
  std::string what;  // a task, a configuration, a text, or empty (with --resume)
  std::string preset, out, probe;
  std::vector<std::string> settings;
  Index seed = 0, steps = 0;
  bool has_out = false, has_seed = false, has_steps = false, has_probe = false;
  bool resume = false, json = false;
  int threads = 1;
  bool no_report = false;
};

/// Fills in the request's folder and configuration, and whether it resumes. Throws ValueError if
/// the options contradict one another, name nothing to train or do not fit the run; IoError if
/// --out is something else than a run, or if a file cannot be read.
void choose_run(const TrainOptions& options, TrainRequest& request);

}  // namespace tapehead::cli
