#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace tapehead {

/// From this edit distance on, a word is another one and no slip of the pen.
inline constexpr std::size_t kNoSlip = 3;

/// Number of single-letter changes, insertions and deletions that turn `a` into `b` (Levenshtein).
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The one of `words` that somebody who wrote `word` most likely meant; empty if none is near.
std::string nearest_word(std::string_view word, std::span<const std::string> words);

}  // namespace tapehead
