#include "data/text_task.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>

#include <fmt/format.h>

#include "autograd/error.h"
#include "data/exercise.h"
#include "data/rows.h"
#include "data/utf8.h"

namespace tapehead {
namespace {

// Some editors begin a file with a byte order mark; it is no part of the text.
std::string_view without_mark(std::string_view bytes) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  return bytes.substr(bytes.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0);
}

std::string read_file(const std::filesystem::path& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) {
    throw IoError(fmt::format("text: '{}' is a directory; expected a text file", path.string()));
  }
  if (!std::filesystem::exists(path, error)) {
    throw IoError(fmt::format("text: there is no file '{}'", path.string()));
  }
  if (!std::filesystem::is_regular_file(path, error)) {
    throw IoError(
        fmt::format("text: '{}' is a device or a pipe; expected a text file, which evaluating and "
                    "resuming read again: write the text to a file first",
                    path.string()));
  }
  std::ifstream file(path, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(file), {}};
  if (!file) throw IoError(fmt::format("text: '{}' cannot be read", path.string()));
  if (without_mark(bytes).empty()) throw IoError(fmt::format("text: '{}' is empty", path.string()));
  return bytes;
}

/// Throws if there is a zero byte: neither a text nor a file of strings can hold one.
void refuse_zero_bytes(const std::filesystem::path& path, std::string_view text) {
  const std::size_t byte = text.find('\0');
  if (byte == std::string_view::npos) return;
  const auto line = 1 + std::ranges::count(text.substr(0, byte), '\n');
  throw IoError(fmt::format(
      "text: '{}' holds the character U+0000, a zero byte, {} times, first at byte {} (line {}); a "
      "text has none: remove them by tr -d '\\000' < FILE > NEW, or, if the text is UTF-16 or "
      "UTF-32, convert it to UTF-8, with iconv for example",
      path.string(), std::ranges::count(text, '\0'), byte + 1, line));
}

Vocabulary vocabulary_of(const std::filesystem::path& path, std::string_view text) {
  std::vector<char32_t> characters;
  if (const auto problem = decode_utf8(text, characters)) {
    throw IoError(
        fmt::format("text: '{}' is not UTF-8: {} at byte {}; convert it, with iconv for "
                    "example",
                    path.string(), problem->what, problem->byte + 1));
  }
  refuse_zero_bytes(path, text);
  if (without_mark(text).size() < text.size()) characters.erase(characters.begin());
  std::ranges::sort(characters);
  characters.erase(std::unique(characters.begin(), characters.end()), characters.end());
  return Vocabulary::from_code_points(characters);
}

Index checked_length(Index length, double validation) {
  check_key("text", "length", length, 1, TextTask::kMaxLength);
  if (!(validation > 0 && validation < 1)) {
    throw ValueError(
        fmt::format("text: validation is {}; it must be above 0 and below 1", validation));
  }
  return length;
}

}  // namespace

TextTask::TextTask(const std::filesystem::path& path, Index length, double validation)
    : TextTask(path, read_file(path), checked_length(length, validation), validation) {}

TextTask::TextTask(const std::filesystem::path& path, std::string_view text, Index length,
                   double validation)
    : length_(length),
      symbols_(vocabulary_of(path, text)),
      tokens_(symbols_.encode(without_mark(text))) {
  const auto characters = static_cast<double>(tokens_.size());
  train_size_ = static_cast<Index>(std::floor(characters * (1 - validation)));
  // A training row needs one character more than its length; a held-out one may be shorter.
  constexpr Index kMinHeldOut = 2;
  if (train_size_ <= length_ || held_out_size() < kMinHeldOut) {
    throw ValueError(fmt::format(
        "text: '{}' has {} characters; with validation {} they split into {} and {}, but length {} "
        "needs at least {} and {}: take a longer text or a smaller length",
        path.string(), tokens_.size(), validation, train_size_, held_out_size(), length_,
        length_ + 1, kMinHeldOut));
  }
}

std::span<const TokenId> TextTask::train_split() const {
  return std::span(tokens_).first(static_cast<std::size_t>(train_size_));
}

std::span<const TokenId> TextTask::held_out_split() const {
  return std::span(tokens_).subspan(static_cast<std::size_t>(train_size_));
}

void TextTask::train_batch(std::uint64_t seed, Index step, Index rows, Batch& batch) const {
  check_train_rows("text", step, rows);
  batch.resize(rows, length_);
  for (Index row = 0; row < rows; ++row) {
    const Index begin = train_row_random(seed, step, row).below(train_size_ - length_);
    const auto* from = train_split().data() + begin;
    std::copy_n(from, length_, batch.inputs.begin() + row * length_);
    std::copy_n(from + 1, length_, batch.targets.begin() + row * length_);
  }
}

Index TextTask::held_out_rows() const {
  const Index asked = held_out_size() - 1;
  return (asked + length_ - 1) / length_;
}

void TextTask::held_out_batch(Index first, Index rows, Batch& batch) const {
  check_held_out_rows("text", first, rows, held_out_rows());
  batch.resize(rows, length_);
  // What pads the last window is asked for nothing; any token will do.
  std::ranges::fill(batch.inputs, 0);
  std::ranges::fill(batch.targets, kIgnoreTarget);
  for (Index row = 0; row < rows; ++row) {
    const Index begin = (first + row) * length_;
    const Index count = std::min(length_, held_out_size() - 1 - begin);
    const auto* from = held_out_split().data() + begin;
    std::copy_n(from, count, batch.inputs.begin() + row * length_);
    std::copy_n(from + 1, count, batch.targets.begin() + row * length_);
  }
}

}  // namespace tapehead
