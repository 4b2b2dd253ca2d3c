#include "data/text_task.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/error.h"
#include "base/utf8.h"
#include "data/exercise.h"
#include "data/rows.h"
#include "data/text_file.h"

namespace tapehead {
namespace {

Vocabulary vocabulary_of(std::string_view text) {
  std::vector<char32_t> characters;
  decode_utf8(text, characters);
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
    : TextTask(path, read_text_file("text", path), checked_length(length, validation), validation) {
}

TextTask::TextTask(const std::filesystem::path& path, std::string_view text, Index length,
                   double validation)
    : length_(length), symbols_(vocabulary_of(text)), tokens_(symbols_.encode(text)) {
  const auto characters = static_cast<double>(tokens_.size());
  train_size_ = static_cast<Index>(std::floor(characters * (1 - validation)));
  // A training row needs one character more than its length; a held-out one may be shorter.
  constexpr Index kLeastHeldOut = 2;
  if (train_size_ <= length_ || held_out_size() < kLeastHeldOut) {
    throw ValueError(fmt::format(
        "text: '{}' has {} characters; with validation {} they split into {} and {}, but length {} "
        "needs at least {} and {}: take a longer text or a smaller length",
        path.string(), tokens_.size(), validation, train_size_, held_out_size(), length_,
        length_ + 1, kLeastHeldOut));
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
