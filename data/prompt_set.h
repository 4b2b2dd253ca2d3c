#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/types.h"

namespace tapehead {

/// A set of prompts of equal length, in the order in which they were added. Looking up compares
/// whole prompts and does not touch the heap.
class PromptSet {
 public:
  /// For at most `capacity` prompts of `prompt_length` tokens.
  PromptSet(Index prompt_length, Index capacity);

  Index size() const { return size_; }
  std::span<const TokenId> operator[](Index i) const;
  bool contains(std::span<const TokenId> prompt) const;
  /// Adds a prompt unless it is there; says whether it was added.
  bool add(std::span<const TokenId> prompt);

 private:
  /// The slot that holds `prompt`, or the empty one where it belongs.
  std::size_t slot_of(std::span<const TokenId> prompt) const;

  std::size_t length_;
  Index size_ = 0;
  std::vector<TokenId> tokens_;      // size x length
  std::vector<std::int32_t> slots_;  // open addressing; index of a prompt, or kEmpty
};

}  // namespace tapehead
