#include "train/checkpoint_folder.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

#include "base/error.h"
#include "train/checkpoint_file.h"

namespace tapehead {

namespace {

constexpr std::string_view kPrefix = "checkpoint_";
constexpr std::string_view kSuffix = ".h5";
constexpr std::size_t kKept = 2;  // the newest, and one to fall back on

// The STEP of checkpoint_STEP.h5; nothing for other names.
std::optional<Index> step_of(const std::filesystem::path& path) {
  const std::string name = path.filename().string();
  if (!name.starts_with(kPrefix) || !name.ends_with(kSuffix)) return std::nullopt;
  const char* begin = name.data() + kPrefix.size();
  const char* end = name.data() + name.size() - kSuffix.size();
  Index step = 0;
  const auto [stopped, error] = std::from_chars(begin, end, step);
  if (begin == end || stopped != end || error != std::errc()) return std::nullopt;
  return step;
}

}  // namespace

std::vector<std::filesystem::path> list_checkpoints(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> paths;
  if (!std::filesystem::is_directory(folder)) return paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (step_of(entry.path())) paths.push_back(entry.path());
  }
  std::ranges::sort(paths, std::greater<>(), [](const auto& path) { return *step_of(path); });
  return paths;
}

template <typename Scalar>
std::filesystem::path save_newest_checkpoint(const std::filesystem::path& folder,
                                             const Checkpoint<Scalar>& checkpoint) {
  const std::filesystem::path path =
      folder / fmt::format("{}{:08}{}", kPrefix, checkpoint.info.step, kSuffix);
  save_checkpoint(path, checkpoint);
  const auto paths = list_checkpoints(folder);
  for (std::size_t i = kKept; i < paths.size(); ++i) {
    std::error_code ignored;  // one too many does no harm
    std::filesystem::remove(paths[i], ignored);
  }
  return path;
}

template <typename Scalar>
LoadedCheckpoint<Scalar> load_newest_checkpoint(
    const std::filesystem::path& folder, const std::function<void(const std::string&)>& warn) {
  const auto paths = list_checkpoints(folder);
  if (paths.empty() && !std::filesystem::is_directory(folder)) {
    throw IoError(
        fmt::format("{}: there is no such folder; give the folder of a run", folder.string()));
  }
  if (paths.empty()) {
    throw IoError(fmt::format("{}: there is no checkpoint ({}STEP{}) in this folder",
                              folder.string(), kPrefix, kSuffix));
  }
  std::vector<std::string> reasons;
  for (const std::filesystem::path& path : paths) {
    try {
      LoadedCheckpoint<Scalar> loaded{load_checkpoint<Scalar>(path), path};
      for (const std::string& reason : reasons) {
        warn(fmt::format("{}; the checkpoint before it is taken", reason));
      }
      return loaded;
    } catch (const IoError& e) {
      reasons.emplace_back(e.what());
    }
  }
  throw IoError(
      fmt::format("{}: no checkpoint can be read:\n  {}\nPut one back from a copy, or train again "
                  "into another folder: tapehead train {}/config.toml",
                  folder.string(), fmt::join(reasons, "\n  "), folder.string()));
}

template std::filesystem::path save_newest_checkpoint(const std::filesystem::path&,
                                                      const Checkpoint<float>&);
template std::filesystem::path save_newest_checkpoint(const std::filesystem::path&,
                                                      const Checkpoint<double>&);
template LoadedCheckpoint<float> load_newest_checkpoint(
    const std::filesystem::path&, const std::function<void(const std::string&)>&);
template LoadedCheckpoint<double> load_newest_checkpoint(
    const std::filesystem::path&, const std::function<void(const std::string&)>&);

}  // namespace tapehead
