#include "train/run_data.h"

#include <filesystem>

#include <fmt/format.h>

#include "base/error.h"
#include "train/digest.h"

namespace tapehead {

std::string data_digest(const Config& config) {
  const std::filesystem::path path = config.task.path;
  if (path.empty() || !std::filesystem::is_regular_file(path)) return {};
  return file_digest(path);
}

void check_data(const Config& config, const std::string& digest, const CheckpointInfo& info) {
  if (info.data_digest.empty() || digest == info.data_digest) return;
  throw IoError(fmt::format(
      "{}: this is not the file that the run was trained on, it has changed since: its "
      "SHA-256 is {}, that of the trained one was {}; put that one back, or train a new "
      "run on this one",
      config.task.path, digest, info.data_digest));
}

}  // namespace tapehead
