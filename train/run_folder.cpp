#include "train/run_folder.h"

#include <cstdio>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

#include "base/atomic_file.h"
#include "base/error.h"
#include "train/checkpoint_folder.h"
#include "train/config/build_task.h"
#include "train/run_config.h"

namespace tapehead {

fs::path config_path(const fs::path& run) { return run / "config.toml"; }

fs::path metrics_path(const fs::path& run) { return run / "metrics.h5"; }

Config read_run_config(const fs::path& run) {
  const fs::path path = config_path(run);
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    throw IoError(
        fmt::format("{}: no run's folder; it has no checkpoint_STEP.h5 and no readable config.toml",
                    run.string()));
  }
  std::ostringstream text;
  text << file.rdbuf();
  return parse_config(text.str(), path.string());
}

void write_run_config(const fs::path& run, const Config& config) {
  replace_file(config_path(run), to_toml(config));
}

bool is_empty_run_folder(const fs::path& folder) {
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    if (entry->path() != RunLock::file_of(folder)) return false;
  }
  if (!error) return true;
  throw IoError(fmt::format("{}: cannot be read: {}", folder.string(), error.message()));
}

namespace {

void check_empty(const fs::path& run) {
  if (!fs::exists(run) || (fs::is_directory(run) && is_empty_run_folder(run))) return;
  throw IoError(
      fmt::format("{}: exists already; choose another --out, or go on with that run by --resume",
                  run.string()));
}

// True if the folder was not there before.
bool make_folder(const fs::path& run) {
  check_empty(run);
  std::error_code error;
  const bool made = fs::create_directories(run, error);
  if (error) {
    throw IoError(fmt::format("{}: cannot make this folder: {}", run.string(), error.message()));
  }
  return made;
}

}  // namespace

NewRun::NewRun(const fs::path& run, const Config& config)
    : run_(run), made_folder_(make_folder(run)), lock_(run) {
  check_empty(run);  // another process may have been faster
  write_run_config(run, config);
}

NewRun::~NewRun() {
  if (kept_) return;
  std::error_code ignored;  // whatever stays does no harm
  for (const fs::path& path : {config_path(run_), metrics_path(run_), RunLock::file_of(run_)}) {
    fs::remove(path, ignored);
  }
  if (made_folder_) fs::remove(run_, ignored);  // refused if something else is in it
}

fs::path free_run_folder(const std::string& name) {
  constexpr int kMostRuns = 1000000;
  for (int n = 1; n < kMostRuns; ++n) {
    const fs::path path = fs::path("runs") / fmt::format("{}-{:03}", name, n);
    if (!fs::exists(path)) return path;
  }
  throw IoError(fmt::format("runs/{}-...: every number is taken; name a folder by --out", name));
}

namespace {

// Time steps of the rows that a model was trained on. The text itself may be gone by now.
Index trained_length(const Config& config, const Checkpoint<float>& checkpoint) {
  const auto table = checkpoint.parameters.find("position.weight");
  if (table != checkpoint.parameters.end()) return table->second.shape.at(0);
  if (config.task.name == "text") return config.task.length;
  return build_task(config)->length();
}

// The sizes of a model that reads and predicts tokens stand in its checkpoint.
ModelSizes trained_sizes(const Config& config, const Checkpoint<float>& checkpoint) {
  const auto token = checkpoint.parameters.find("token.weight");
  if (token == checkpoint.parameters.end() || token->second.shape.size() != 2) {
    return model_sizes(*build_task(config));
  }
  return {token->second.shape[0], trained_length(config, checkpoint)};
}

}  // namespace

LoadedRun load_run(const fs::path& run) {
  const auto warn = [](const std::string& text) { fmt::print(stderr, "warning: {}\n", text); };
  auto newest = load_newest_checkpoint<float>(run, warn);
  LoadedRun loaded;
  loaded.config = stored_config(newest.checkpoint.info, newest.path, run);
  warn_if_edited(run, loaded.config, warn);
  loaded.checkpoint = newest.path;
  loaded.info = newest.checkpoint.info;
  const ModelSizes sizes = trained_sizes(loaded.config, newest.checkpoint);
  loaded.context = sizes.length;
  loaded.model = build_model(loaded.config, sizes);
  restore(newest.checkpoint, loaded.model->store, static_cast<Optimizer<float>*>(nullptr),
          newest.path.string());
  return loaded;
}

Vocabulary run_vocabulary(const LoadedRun& run) {
  if (!run.info.vocabulary.empty()) {
    return Vocabulary(run.info.vocabulary, Vocabulary::Style::kText);
  }
  return build_task(run.config)->symbols();
}

}  // namespace tapehead
