#include "data/prompt_set.h"

#include <algorithm>
#include <bit>

namespace tapehead {
namespace {

constexpr std::int32_t kEmpty = -1;

/// FNV-1a over whole tokens, with its high bits, which mix best, folded down.
std::uint64_t hash(std::span<const TokenId> prompt) {
  std::uint64_t h = 0xCBF29CE484222325;
  for (const TokenId token : prompt) {
    h ^= static_cast<std::uint32_t>(token);
    h *= 0x100000001B3;
  }
  return h ^ (h >> 32);
}

}  // namespace

PromptSet::PromptSet(Index prompt_length, Index capacity)
    : length_(static_cast<std::size_t>(prompt_length)),
      // At most half full, so that probing stays short.
      slots_(std::bit_ceil(2 * static_cast<std::size_t>(capacity) + 1), kEmpty) {
  tokens_.reserve(length_ * static_cast<std::size_t>(capacity));
}

std::span<const TokenId> PromptSet::operator[](Index i) const {
  return std::span(tokens_).subspan(static_cast<std::size_t>(i) * length_, length_);
}

std::size_t PromptSet::slot_of(std::span<const TokenId> prompt) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = hash(prompt) & mask;
  while (slots_[slot] != kEmpty && !std::ranges::equal((*this)[slots_[slot]], prompt)) {
    slot = (slot + 1) & mask;
  }
  return slot;
}

bool PromptSet::contains(std::span<const TokenId> prompt) const {
  return slots_[slot_of(prompt)] != kEmpty;
}

bool PromptSet::add(std::span<const TokenId> prompt) {
  const std::size_t slot = slot_of(prompt);
  if (slots_[slot] != kEmpty) return false;
  slots_[slot] = static_cast<std::int32_t>(size_);
  tokens_.insert(tokens_.end(), prompt.begin(), prompt.end());
  ++size_;
  return true;
}

}  // namespace tapehead
