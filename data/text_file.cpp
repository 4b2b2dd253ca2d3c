#include "data/text_file.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <vector>

#include <fmt/format.h>

#include "base/error.h"
#include "base/utf8.h"

namespace tapehead {
namespace {

// Some editors begin a file with a byte order mark; it is no part of the text.
std::string_view without_mark(std::string_view bytes) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  return bytes.substr(bytes.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0);
}

std::string read_bytes(std::string_view task, const std::filesystem::path& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) {
    throw IoError(
        fmt::format("{}: '{}' is a directory; expected a text file", task, path.string()));
  }
  if (!std::filesystem::exists(path, error)) {
    throw IoError(fmt::format("{}: there is no file '{}'", task, path.string()));
  }
  if (!std::filesystem::is_regular_file(path, error)) {
    throw IoError(
        fmt::format("{}: '{}' is a device or a pipe; expected a text file, which evaluating and "
                    "resuming read again: write the text to a file first",
                    task, path.string()));
  }
  std::ifstream file(path, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(file), {}};
  if (!file) throw IoError(fmt::format("{}: '{}' cannot be read", task, path.string()));
  return bytes;
}

/// Throws if there is a zero byte: neither a text nor a file of strings can hold one.
void refuse_zero_bytes(std::string_view task, const std::filesystem::path& path,
                       std::string_view text) {
  const std::size_t byte = text.find('\0');
  if (byte == std::string_view::npos) return;
  const auto line = 1 + std::ranges::count(text.substr(0, byte), '\n');
  throw IoError(fmt::format(
      "{}: '{}' holds the character U+0000, a zero byte, {} times, first at byte {} (line {}); a "
      "text has none: remove them by tr -d '\\000' < FILE > NEW, or, if the text is UTF-16 or "
      "UTF-32, convert it to UTF-8, with iconv for example",
      task, path.string(), std::ranges::count(text, '\0'), byte + 1, line));
}

}  // namespace

std::string read_text_file(std::string_view task, const std::filesystem::path& path) {
  const std::string bytes = read_bytes(task, path);
  if (without_mark(bytes).empty()) {
    throw IoError(fmt::format("{}: '{}' is empty", task, path.string()));
  }
  std::vector<char32_t> characters;
  if (const auto problem = decode_utf8(bytes, characters)) {
    throw IoError(
        fmt::format("{}: '{}' is not UTF-8: {} at byte {}; convert it, with iconv for "
                    "example",
                    task, path.string(), problem->what, problem->byte + 1));
  }
  refuse_zero_bytes(task, path, bytes);
  return std::string(without_mark(bytes));
}

}  // namespace tapehead
