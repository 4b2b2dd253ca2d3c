#include "base/atomic_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <system_error>

#include "base/error.h"

namespace tapehead {

namespace {

[[noreturn]] void throw_errno(const std::filesystem::path& path, const char* action) {
  throw IoError(fmt::format("{}: cannot {}: {}", path.string(), action, std::strerror(errno)));
}

// Waits until the file or folder is on the disk.
void sync(const std::filesystem::path& path, int flags) {
  const int descriptor = ::open(path.c_str(), flags | O_CLOEXEC);
  if (descriptor < 0) throw_errno(path, "open for syncing");
  const int result = ::fsync(descriptor);
  const int error = errno;
  ::close(descriptor);
  errno = error;
  if (result != 0) throw_errno(path, "sync to the disk");
}

}  // namespace

void replace_file(const std::filesystem::path& path,
                  const std::function<void(const std::filesystem::path&)>& write) {
  std::filesystem::path temporary = path;
  temporary += ".tmp";
  try {
    write(temporary);
    sync(temporary, O_RDONLY);
    if (std::rename(temporary.c_str(), path.c_str()) != 0) throw_errno(path, "rename into place");
  } catch (...) {
    std::error_code ignored;
    std::filesystem::remove(temporary, ignored);
    throw;
  }
  const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
  sync(folder, O_RDONLY | O_DIRECTORY);
}

void replace_file(const std::filesystem::path& path, std::string_view text) {
  replace_file(path, [text](const std::filesystem::path& temporary) {
    std::ofstream file(temporary, std::ios::binary);
    file.write(text.data(), static_cast<std::streamsize>(text.size()));
    file.close();
    if (!file) throw_errno(temporary, "write");
  });
}

}  // namespace tapehead
