#include "train/run_folder.h"

#include <cstdio>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

#include "autograd/error.h"
#include "train/build_task.h"
#include "train/checkpoint_folder.h"

namespace tapehead {

fs::path config_path(const fs::path& run) { return run / "config.toml"; }

fs::path metrics_path(const fs::path& run) { return run / "metrics.h5"; }

Config read_run_config(const fs::path& run) {
  const fs::path path = config_path(run);
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    throw IoError(fmt::format("{}: no run's folder; it has no readable config.toml", run.string()));
  }
  std::ostringstream text;
  text << file.rdbuf();
  return parse_config(text.str(), path.string());
}

void create_run(const fs::path& run, const Config& config) {
  std::error_code error;
  if (fs::exists(run) && (!fs::is_directory(run) || !fs::is_empty(run))) {
    throw IoError(
        fmt::format("{}: exists already; choose another --out, or go on with that run by --resume",
                    run.string()));
  }
  fs::create_directories(run, error);
  std::ofstream file(config_path(run), std::ios::binary);
  file << to_toml(config);
  file.close();
  if (error || !file) {
    throw IoError(fmt::format("{}: cannot be written{}", config_path(run).string(),
                              error ? ": " + error.message() : ""));
  }
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

}  // namespace

LoadedRun load_run(const fs::path& run) {
  LoadedRun loaded;
  loaded.config = read_run_config(run);
  auto newest = load_newest_checkpoint<float>(
      run, [](const std::string& warning) { fmt::print(stderr, "warning: {}\n", warning); });
  loaded.checkpoint = newest.path;
  loaded.info = newest.checkpoint.info;
  const auto token = newest.checkpoint.parameters.find("token.weight");
  if (token == newest.checkpoint.parameters.end() || token->second.shape.size() != 2) {
    throw IoError(fmt::format("{}: holds no matrix 'token.weight'", newest.path.string()));
  }
  loaded.context = trained_length(loaded.config, newest.checkpoint);
  loaded.model = build_model(loaded.config, token->second.shape[0], loaded.context);
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
