#include "app/cli/train_options.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <system_error>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"
#include "base/nearest_word.h"
#include "data/task_registry.h"
#include "train/checkpoint_folder.h"
#include "train/config/config_reader.h"
#include "train/config/presets.h"
#include "train/run_config.h"
#include "train/run_folder.h"

namespace tapehead::cli {

namespace {

bool is_task(const std::string& name) {
  const auto names = task_names();
  return std::find(names.begin(), names.end(), name) != names.end();
}

// The task that a file of data is for: by its name a data set, or else a text, unless the preset is
// for a file of another kind.
std::string task_of_file(const fs::path& path, const std::string& preset) {
  if (path.extension() == ".h5" || path.extension() == ".hdf5") return "dataset";
  if (preset.empty()) return "text";
  ConfigReader reader;
  reader.apply_toml(find_preset(preset).toml, preset);
  return reader.draft().task.name == "names" ? "names" : "text";
}

// What the first argument is: a task's name, a configuration, a data set, or a text.
void add_what(const std::string& what, ConfigSources& sources) {
  if (is_task(what)) {
    sources.settings.push_back(set_field(&Config::task, &TaskConfig::name, what, what));
    return;
  }
  const fs::path path(what);
  std::error_code error;
  if (!fs::exists(path, error)) {
    const std::string nearest = nearest_word(what, task_names());
    throw ValueError(
        fmt::format("train: '{}' is neither a task nor a file; the tasks are: {}{}", what,
                    fmt::join(task_names(), ", "),
                    nearest.empty() ? "" : fmt::format("; did you mean '{}'?", nearest)));
  }
  if (path.extension() == ".toml") {
    sources.file = what;
    return;
  }
  sources.settings.push_back(
      set_field(&Config::task, &TaskConfig::name, task_of_file(path, sources.preset), what));
  sources.settings.push_back(set_field(&Config::task, &TaskConfig::path,
                                       fs::absolute(path).lexically_normal().string(), what));
}

Config configuration(const TrainOptions& options) {
  ConfigSources sources;
  sources.preset = options.preset;
  if (!options.what.empty()) add_what(options.what, sources);
  for (const std::string& s : options.settings) sources.settings.push_back({s});
  if (options.has_seed) {
    sources.settings.push_back(set_field(&Config::train, &TrainConfig::seed, options.seed,
                                         fmt::format("--seed {}", options.seed)));
  }
  if (options.has_steps) {
    sources.settings.push_back(set_field(&Config::train, &TrainConfig::steps, options.steps,
                                         fmt::format("--steps {}", options.steps)));
  }
  if (options.has_probe) {
    sources.settings.push_back(
        {fmt::format("train.probe={}", options.probe), fmt::format("--probe {}", options.probe)});
  }
  return resolve_config(sources);
}

std::string key_of(const std::string& assignment) {
  const std::string key = assignment.substr(0, assignment.find('='));
  return key.substr(0, key.find_last_not_of(" \t") + 1);
}

// An option that sets a key, and --set with the same key: which is meant?
void refuse_both(const TrainOptions& options, const char* option, const char* key) {
  for (const std::string& s : options.settings) {
    if (key_of(s) == key) {
      throw ValueError(
          fmt::format("train: {} and --set {} set the same key; leave one of them out", option, s));
    }
  }
}

// Throws if the options contradict one another.
void check_options(const TrainOptions& options) {
  if (options.has_out && options.out.empty()) {
    throw ValueError("train: --out is empty; name a folder, such as --out runs/first");
  }
  if (options.resume && !options.has_out) {
    throw ValueError("train: --resume needs the run's folder: --out DIR");
  }
  if (options.has_seed) refuse_both(options, "--seed", "train.seed");
  if (options.has_steps) refuse_both(options, "--steps", "train.steps");
  if (options.has_probe) refuse_both(options, "--probe", "train.probe");
  const bool changes =
      options.has_seed || options.has_probe || !options.settings.empty() || !options.preset.empty();
  if (options.resume && options.what.empty() && changes) {
    throw ValueError(
        "train: --resume goes on with the run's own configuration; leave out --preset, --set, "
        "--seed and --probe (only --steps may be given, to train longer)");
  }
}

// Whether there is a run in --out. Throws if there is something else.
bool run_exists(const fs::path& out) {
  std::error_code error;
  const fs::file_status status = fs::status(out, error);
  if (status.type() == fs::file_type::none) {
    throw IoError(fmt::format("{}: cannot be a run's folder: {}", out.string(), error.message()));
  }
  if (!fs::exists(status)) return false;
  if (!fs::is_directory(status)) {
    throw IoError(fmt::format("{}: this is a file; --out names the folder of a run", out.string()));
  }
  if (is_empty_run_folder(out)) return false;
  if (fs::exists(config_path(out)) || !list_checkpoints(out).empty()) return true;
  throw IoError(
      fmt::format("{}: this folder holds other things and no run; choose a new or an empty folder",
                  out.string()));
}

// The configuration of a run that goes on without being described again.
Config own_configuration(const TrainOptions& options, bool exists) {
  if (!exists) {
    throw ValueError(fmt::format("train: {} holds no run to go on with", options.out));
  }
  return resume_config(options.out,
                       options.has_steps ? std::optional(options.steps) : std::nullopt);
}

Config described_configuration(const TrainOptions& options, bool resume) {
  if (options.what.empty() && options.preset.empty()) {
    throw ValueError(
        fmt::format("train: what? Name a task, a configuration file or a text file; "
                    "the tasks are: {}",
                    fmt::join(task_names(), ", ")));
  }
  const Config config = configuration(options);
  if (resume) check_goes_on(options.out, resume_config(options.out, config.train.steps), config);
  return config;
}

}  // namespace

void choose_run(const TrainOptions& options, TrainRequest& request) {
  check_options(options);
  const bool exists = options.has_out && run_exists(options.out);
  request.resume = options.resume && exists;
  request.config = options.resume && options.what.empty()
                       ? own_configuration(options, exists)
                       : described_configuration(options, request.resume);
  const std::string& task = request.config.task.name;
  const std::string name = task == "text" || task == "dataset"
                               ? fs::path(request.config.task.path).stem().string()
                               : task;
  request.folder = options.has_out ? fs::path(options.out) : free_run_folder(name);
}

}  // namespace tapehead::cli
