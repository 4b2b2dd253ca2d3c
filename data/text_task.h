#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "data/task.h"

namespace tapehead {

/// Next-character prediction on a UTF-8 file, by code points, without its byte order mark. Keys:
/// path, length, validation. With the text "hello" and length 4:
///
///   input   h e l l
///   target  e l l o
///
/// The vocabulary is the sorted list of the file's different code points. The last `validation` of
/// the characters are the held-out split, the others the training split. A training row begins at a
/// random place of its split. The held-out rows are consecutive windows of theirs that ask for each
/// of its characters but the first exactly once; the last one is filled up with targets that are
/// not counted. So the mean loss over all counted targets is that of the whole split.
class TextTask : public Task {
 public:
  static constexpr Index kDefaultLength = 64;
  static constexpr double kDefaultValidation = 0.1;
  static constexpr Index kMaxLength = 1'000'000;

  /// Throws ValueError unless length is from 1 to 1,000,000 and 0 < validation < 1, and if the
  /// splits are too short for the length; IoError if the file cannot be read, is empty, no UTF-8
  /// or holds U+0000.
  explicit TextTask(const std::filesystem::path& path, Index length = kDefaultLength,
                    double validation = kDefaultValidation);

  std::string name() const override { return "text"; }
  const Vocabulary& symbols() const override { return symbols_; }
  Index length() const override { return length_; }
  Layout layout() const override { return Layout::kCausal; }
  bool counts_sequences() const override { return false; }

  void train_batch(std::uint64_t seed, Index step, Index rows, Batch& batch) const override;
  Index held_out_rows() const override;
  void held_out_batch(Index first, Index rows, Batch& batch) const override;

  /// Characters of the two splits.
  Index train_size() const { return train_size_; }
  Index held_out_size() const { return static_cast<Index>(tokens_.size()) - train_size_; }

 private:
  TextTask(const std::filesystem::path& path, std::string_view text, Index length,
           double validation);

  std::span<const TokenId> train_split() const;
  std::span<const TokenId> held_out_split() const;

  Index length_;
  Vocabulary symbols_;
  std::vector<TokenId> tokens_;
  Index train_size_;
};

}  // namespace tapehead
