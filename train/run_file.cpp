#include "train/run_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include "base/atomic_file.h"
#include "base/error.h"
#include "train/digest.h"

namespace tapehead {

namespace {

constexpr std::string_view kSealStart = "\ntapehead sha256 ";
constexpr std::size_t kSealSize = kSealStart.size() + 64 + 1;  // digits, end of line

std::string seal_of(const std::string& sha256) { return fmt::format("{}{}\n", kSealStart, sha256); }

std::ifstream open_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    throw IoError(fmt::format("{}: cannot open: {}", path.string(), std::strerror(errno)));
  }
  return file;
}

// SHA-256 of the next `size` bytes.
std::string sha256_of(std::ifstream& file, std::size_t size, const std::filesystem::path& path) {
  Sha256 sha;
  std::vector<char> buffer(std::size_t{1} << 16);
  while (size > 0) {
    const std::size_t part = std::min(size, buffer.size());
    if (!file.read(buffer.data(), static_cast<std::streamsize>(part))) {
      throw IoError(fmt::format("{}: cannot read: {}", path.string(), std::strerror(errno)));
    }
    sha.add(std::string_view(buffer.data(), part));
    size -= part;
  }
  return sha.hex();
}

void add_seal(const std::filesystem::path& path) {
  std::ifstream file = open_file(path);
  const std::string seal = seal_of(sha256_of(file, std::filesystem::file_size(path), path));
  std::ofstream out(path, std::ios::binary | std::ios::app);
  out << seal;
  out.close();
  if (!out) throw IoError(fmt::format("{}: cannot write: {}", path.string(), std::strerror(errno)));
}

void check_seal(const std::filesystem::path& path, std::string_view format) {
  std::ifstream file = open_file(path);
  const auto size = std::filesystem::is_regular_file(path) ? std::filesystem::file_size(path) : 0;
  std::string found(kSealSize, '\0');
  if (size > kSealSize) {
    const std::string expected = seal_of(sha256_of(file, size - kSealSize, path));
    file.read(found.data(), static_cast<std::streamsize>(kSealSize));
    if (found == expected) return;
  }
  throw IoError(fmt::format(
      "{}: damaged, cut off, changed by another program, or no {}: its last line is not the "
      "SHA-256 of the {} bytes before it",
      path.string(), format, size > kSealSize ? size - kSealSize : 0));
}

void check_format(const Hdf5File& file, std::string_view format, Index version) {
  const auto found_format = file.attribute_as<std::string>("/", "format");
  if (found_format != format) {
    throw IoError(fmt::format("{}: this is a {} file, a {} file was expected", file.path(),
                              found_format, format));
  }
  const Index found = file.attribute_as<Index>("/", "version");
  if (found < 1 || found > version) {
    throw IoError(fmt::format("{}: {} version {}, this program reads up to {}; use a newer program",
                              file.path(), format, found, version));
  }
}

}  // namespace

void write_run_file(const std::filesystem::path& path, std::string_view format, Index version,
                    const std::function<void(Hdf5File&)>& write) {
  replace_file(path, [&](const std::filesystem::path& temporary) {
    Hdf5File file = Hdf5File::create(temporary);
    file.write_attribute("/", "format", std::string(format));
    file.write_attribute("/", "version", version);
    write(file);
    file.close();
    add_seal(temporary);
  });
}

Hdf5File open_run_file(const std::filesystem::path& path, std::string_view format, Index version) {
  check_seal(path, format);
  Hdf5File file = Hdf5File::open(path);
  check_format(file, format, version);
  return file;
}

}  // namespace tapehead
