#pragma once

#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/types.h"

namespace tapehead {

/// The symbols that tokens stand for: token i is symbols()[i], a text in UTF-8.
///
/// Small and complete: whoever stores symbols() and style() with a model can encode and decode
/// without the task or the text that it was trained on.
class Vocabulary {
 public:
  enum class Style {
    /// Symbols are characters of a text; decode() joins them, and white space counts.
    kText,
    /// Symbols are words; decode() puts spaces between them. encode() wants white space between
    /// them too, except where all are single characters: then "314>" is the same as "3 1 4 >".
    kWords
  };

  /// Throws ValueError if there is no symbol, one is empty, invalid UTF-8 or stands twice, if a
  /// text's symbol is not one character, or if a word holds white space.
  Vocabulary(std::vector<std::string> symbols, Style style);
  /// The characters of a text, in the order given. Throws ValueError if one is no Unicode scalar
  /// value or stands twice, or if there is none.
  static Vocabulary from_code_points(std::span<const char32_t> code_points);

  Index size() const { return static_cast<Index>(symbols_.size()); }
  Style style() const { return style_; }
  const std::vector<std::string>& symbols() const { return symbols_; }
  /// The characters of a text, as from_code_points() takes them. Throws StateError for words.
  std::vector<char32_t> code_points() const;

  /// The token as shown to people: itself, but line breaks as "\n", a space as "␣", other
  /// invisible characters as "U+00AD". Throws ValueError if there is no such token.
  std::string symbol(TokenId token) const;
  /// Throws ValueError naming the unknown symbols and their places, counted in characters from 1,
  /// or the first byte that is no UTF-8, counted from 1 too.
  std::vector<TokenId> encode(std::string_view text) const;
  /// The text as it is: real line breaks. Throws ValueError if there is no such token.
  std::string decode(std::span<const TokenId> tokens) const;
  std::string decode(TokenId token) const { return decode({&token, 1}); }

 private:
  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };

  std::vector<std::string> symbols_;
  Style style_;
  bool single_characters_ = true;
  std::unordered_map<std::string, TokenId, Hash, std::equal_to<>> tokens_;

  const std::string& text_of(TokenId token) const;
};

}  // namespace tapehead
