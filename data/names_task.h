#pragma once

#include <filesystem>
#include <string>

#include "data/held_out.h"
#include "data/task.h"

namespace tapehead {

/// Items of a UTF-8 file, one a line, letter by letter: names, words. Keys: path, held_out. A line
/// break begins and ends an item, and a row is as long as the longest item and one more. With
/// "emma", where the longest has 5 letters:
///
///   input   \n e m m a \n
///   target  e  m m a \n _
///
/// The vocabulary is the line break and then the sorted list of the file's different code points.
/// White space around an item is no part of it, and empty lines are left out. Held out are the last
/// `held_out` items (at most a tenth of all) of a permutation; a training row is a random one of
/// the others, of which those that are equal to a held-out one are left out.
///
/// Source: karpathy/makemore, with the same held-out items: its permutation is PyTorch's randperm
/// with seed 3407, which shuffles by numbers of the Mersenne Twister. There, names that stand twice
/// in the file may be in both parts.
class NamesTask : public Task {
 public:
  static constexpr Index kMaxLetters = 1000;

  /// Throws IoError if the file cannot be read, is empty, no UTF-8 or holds U+0000; ValueError if
  /// held_out is not from 10 to 1,000,000, if there are not ten times 10 items, if nothing is left
  /// to train on, and if an item has more than 1000 letters.
  explicit NamesTask(const std::filesystem::path& path, Index held_out = kDefaultHeldOut);

  std::string name() const override { return "names"; }
  const Vocabulary& symbols() const override { return symbols_; }
  Index length() const override { return length_; }
  Layout layout() const override { return Layout::kCausal; }
  bool counts_sequences() const override { return false; }

  void train_batch(std::uint64_t seed, Index step, Index rows, Batch& batch) const override;
  Index held_out_rows() const override { return static_cast<Index>(held_out_.size()); }
  void held_out_batch(Index first, Index rows, Batch& batch) const override;

  /// The line break, then `text`: an item that begins so.
  std::vector<TokenId> encode_prompt(std::string_view text) const override;
  /// The line break.
  std::optional<TokenId> end_token() const override { return 0; }

  Index train_size() const { return static_cast<Index>(train_.size()); }

 private:
  using Item = std::vector<TokenId>;
  NamesTask(const std::filesystem::path& path, const std::vector<std::string>& lines,
            Index held_out);

  void lay_out(Batch& batch, Index row, const Item& item) const;

  Vocabulary symbols_;
  Index length_ = 0;
  std::vector<Item> train_;
  std::vector<Item> held_out_;
};

}  // namespace tapehead
