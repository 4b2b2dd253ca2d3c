#include "train/run_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include <fmt/format.h>

#include "base/error.h"

namespace tapehead {

RunLock::RunLock(const std::filesystem::path& run) {
  constexpr mode_t kMode = 0666;  // less what the umask takes away
  const std::filesystem::path path = file_of(run);
  descriptor_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, kMode);
  if (descriptor_ < 0) {
    throw IoError(fmt::format("{}: cannot open: {}", path.string(), std::strerror(errno)));
  }
  if (::flock(descriptor_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
  ::close(descriptor_);
  throw IoError(
      fmt::format("{}: this run is being trained by another process; wait until that has ended, or "
                  "choose another folder by --out",
                  run.string()));
}

RunLock::~RunLock() { ::close(descriptor_); }

}  // namespace tapehead
