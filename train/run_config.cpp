#include "train/run_config.h"

#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"
#include "train/checkpoint_folder.h"
#include "train/run_folder.h"

namespace tapehead {

namespace {

constexpr const char* kSteps = "train.steps";

std::vector<std::string> keys_of(const std::vector<ConfigDifference>& differences) {
  std::vector<std::string> keys;
  for (const ConfigDifference& d : differences) keys.push_back(d.key);
  return keys;
}

}  // namespace

Config stored_config(const CheckpointInfo& info, const fs::path& path, const fs::path& run) {
  Config config = parse_config(info.config, fmt::format("the configuration in {}", path.string()));
  if (info.data_digest.empty()) return config;
  try {
    const std::string moved_to = read_run_config(run).task.path;
    if (!moved_to.empty()) config.task.path = moved_to;
  } catch (const Error&) {
    // A file that cannot be read says nothing; that it cannot is for others to say.
  }
  return config;
}

void warn_if_edited(const fs::path& run, const Config& stored,
                    const std::function<void(const std::string&)>& warn) {
  const std::string path = config_path(run).string();
  if (!fs::exists(path)) {
    return warn(fmt::format(
        "{}: there is no such file; the checkpoint's own configuration is taken", path));
  }
  try {
    const auto edited = differences(read_run_config(run), stored);
    if (edited.empty()) return;
    warn(fmt::format("{}: not what the checkpoint was trained with, which is taken instead: {}",
                     path, fmt::join(keys_of(edited), ", ")));
  } catch (const Error& e) {
    warn(fmt::format("{}; the checkpoint's own configuration is taken", e.what()));
  }
}

void check_not_edited(const fs::path& run, const Config& stored, bool steps_count) {
  const std::string path = config_path(run).string();
  if (!fs::exists(path)) return;
  const std::string advice =
      fmt::format("delete {} to go on with the configuration that the checkpoint holds", path);
  std::optional<Config> written;
  try {
    written = read_run_config(run);
  } catch (const Error& e) {
    throw ValueError(fmt::format("{}\n{}", e.what(), advice));
  }
  for (const ConfigDifference& d : differences(*written, stored)) {
    const bool steps = d.key == kSteps;
    if (steps && !steps_count) continue;
    throw ValueError(fmt::format(
        "{}: {} = {}, but the run was trained with {}; a run cannot go on with another "
        "configuration: put the value back, or {}{}",
        path, d.key, d.ours, d.theirs, advice, steps ? "; to train longer, give --steps" : ""));
  }
}

void check_goes_on(const fs::path& run, const Config& stored, const Config& wanted) {
  for (const ConfigDifference& d : differences(wanted, stored)) {
    const bool steps = d.key == kSteps;
    if (steps && wanted.train.steps > stored.train.steps) continue;
    throw ValueError(
        fmt::format("{}: this run has {} = {}, not {}; {}: go on by 'train --resume --out {}', or "
                    "choose another "
                    "folder",
                    run.string(), d.key, d.theirs, d.ours,
                    steps ? "a run can be trained longer, but not made shorter"
                          : "a run cannot go on with another configuration",
                    run.string()));
  }
}

Config resume_config(const fs::path& run, std::optional<Index> steps) {
  Config stored;
  if (list_checkpoints(run).empty()) {
    stored = read_run_config(run);
  } else {
    // Loaded once more for training, and then warned of.
    const auto newest = load_newest_checkpoint<float>(run, [](const std::string&) {});
    stored = stored_config(newest.checkpoint.info, newest.path, run);
    check_not_edited(run, stored, !steps.has_value());
  }
  Config wanted = stored;
  wanted.train.steps = steps.value_or(stored.train.steps);
  check_config(wanted);
  check_goes_on(run, stored, wanted);
  return wanted;
}

}  // namespace tapehead
