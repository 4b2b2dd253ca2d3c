#pragma once

#include <filesystem>

namespace tapehead {

/// Keeps every other process from training in a run's folder: a lock (flock) on the file `.lock` in
/// it, which the kernel releases when the process ends, however it ends.
class RunLock {
 public:
  /// Throws IoError if another process, or another RunLock, holds the lock, or if the file cannot
  /// be made. On a file system without locks nothing is locked.
  explicit RunLock(const std::filesystem::path& run);
  ~RunLock();
  RunLock(const RunLock&) = delete;
  RunLock& operator=(const RunLock&) = delete;

  /// The file that is locked; it stays when the lock is released.
  static std::filesystem::path file_of(const std::filesystem::path& run) { return run / ".lock"; }

 private:
  int descriptor_;
};

}  // namespace tapehead
