#include "data/vocabulary.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"
#include "base/utf8.h"

namespace tapehead {
namespace {

/// More would hide the message behind the list.
constexpr std::size_t kListedUnknown = 10;
constexpr std::size_t kListedKnown = 70;

bool is_white(char32_t c) { return c == U' ' || (c >= U'\t' && c <= U'\r'); }

/// Controls, format characters and spaces that leave no mark on paper.
bool is_invisible(char32_t c) {
  return c < 0x20 || (c >= 0x7F && c <= 0xA0) || c == 0xAD || (c >= 0x2000 && c <= 0x200F) ||
         (c >= 0x2028 && c <= 0x202F) || c == 0x3000 || c == 0xFEFF;
}

std::string readable(char32_t c) {
  switch (c) {
    case U'\n':
      return "\\n";
    case U'\r':
      return "\\r";
    case U'\t':
      return "\\t";
    case U' ':
      return "␣";
    default:
      return is_invisible(c) ? fmt::format("U+{:04X}", static_cast<std::uint32_t>(c)) : to_utf8(c);
  }
}

std::vector<char32_t> code_points_of(std::string_view text, const char* what) {
  std::vector<char32_t> code_points;
  if (const auto problem = decode_utf8(text, code_points)) {
    throw ValueError(
        fmt::format("{}: invalid UTF-8 at byte {}: {}", what, problem->byte + 1, problem->what));
  }
  return code_points;
}

std::string readable(std::string_view text) {
  std::vector<char32_t> characters;
  decode_utf8(text, characters);
  std::string shown;
  for (const char32_t c : characters) shown += readable(c);
  return shown;
}

/// A piece of a text that ought to be a symbol.
struct Piece {
  std::string text;
  std::size_t place;  // of its first character, from 1
};

std::vector<Piece> split_words(const std::vector<char32_t>& text) {
  std::vector<Piece> pieces;
  bool inside = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (is_white(text[i])) {
      inside = false;
      continue;
    }
    if (!inside) pieces.push_back({"", i + 1});
    inside = true;
    append_utf8(pieces.back().text, text[i]);
  }
  return pieces;
}

/// Collects what encode() cannot find, each symbol once.
class Unknown {
 public:
  void add(std::string_view piece, std::size_t place) {
    const auto same = std::ranges::find(pieces_, piece, &Piece::text);
    if (same == pieces_.end()) pieces_.push_back({std::string(piece), place});
  }

  void throw_if_any(const std::vector<std::string>& known) const {
    if (pieces_.empty()) return;
    std::vector<std::string> parts;
    for (std::size_t i = 0; i < std::min(pieces_.size(), kListedUnknown); ++i) {
      parts.push_back(fmt::format("'{}' at {}", readable(pieces_[i].text), pieces_[i].place));
    }
    if (pieces_.size() > kListedUnknown) {
      parts.push_back(fmt::format("{} more", pieces_.size() - kListedUnknown));
    }
    throw ValueError(fmt::format("encode: unknown symbols {}; the model knows {}",
                                 fmt::join(parts, ", "), list_of(known)));
  }

 private:
  static std::string list_of(const std::vector<std::string>& known) {
    if (known.size() > kListedKnown) {
      return fmt::format("the {} symbols of its vocabulary", known.size());
    }
    std::vector<std::string> shown;
    for (const std::string& symbol : known) shown.push_back(readable(symbol));
    return fmt::format("{}", fmt::join(shown, " "));
  }

  std::vector<Piece> pieces_;
};

}  // namespace

Vocabulary::Vocabulary(std::vector<std::string> symbols, Style style)
    : symbols_(std::move(symbols)), style_(style) {
  if (symbols_.empty()) throw ValueError("vocabulary: no symbols; at least one is needed");
  for (std::size_t i = 0; i < symbols_.size(); ++i) {
    const auto what = fmt::format("vocabulary: symbol {}", i);
    const auto characters = code_points_of(symbols_[i], what.c_str());
    if (characters.empty()) throw ValueError(what + " is empty");
    single_characters_ = single_characters_ && characters.size() == 1;
    if (style_ == Style::kText && characters.size() != 1) {
      throw ValueError(
          fmt::format("{} is '{}'; a text's symbols are single characters", what, symbols_[i]));
    }
    if (style_ == Style::kWords && std::ranges::any_of(characters, is_white)) {
      throw ValueError(fmt::format("{} is '{}'; a word has no white space", what, symbols_[i]));
    }
    const auto [entry, is_new] = tokens_.try_emplace(symbols_[i], static_cast<TokenId>(i));
    if (!is_new) {
      throw ValueError(
          fmt::format("{} is '{}', and so is symbol {}", what, symbols_[i], entry->second));
    }
  }
}

Vocabulary Vocabulary::from_code_points(std::span<const char32_t> code_points) {
  std::vector<std::string> symbols;
  for (const char32_t c : code_points) {
    if (!is_scalar_value(c)) {
      throw ValueError(fmt::format("vocabulary: symbol {} is 0x{:X}, which is no character",
                                   symbols.size(), static_cast<std::uint32_t>(c)));
    }
    symbols.push_back(to_utf8(c));
  }
  return {std::move(symbols), Style::kText};
}

std::vector<char32_t> Vocabulary::code_points() const {
  if (style_ != Style::kText) throw StateError("vocabulary: words have no list of code points");
  std::vector<char32_t> code_points;
  for (const auto& symbol : symbols_) decode_utf8(symbol, code_points);
  return code_points;
}

const std::string& Vocabulary::text_of(TokenId token) const {
  if (token < 0 || token >= size()) {
    throw ValueError(
        fmt::format("vocabulary: token {}; there are tokens 0 to {}", token, size() - 1));
  }
  return symbols_[static_cast<std::size_t>(token)];
}

std::string Vocabulary::symbol(TokenId token) const { return readable(text_of(token)); }

std::vector<TokenId> Vocabulary::encode(std::string_view text) const {
  const auto characters = code_points_of(text, "encode");
  std::vector<TokenId> tokens;
  Unknown unknown;
  const auto look_up = [&](std::string_view piece, std::size_t place) {
    const auto entry = tokens_.find(piece);
    if (entry == tokens_.end()) {
      unknown.add(piece, place);
    } else {
      tokens.push_back(entry->second);
    }
  };
  if (single_characters_) {
    std::string piece;
    for (std::size_t i = 0; i < characters.size(); ++i) {
      if (style_ == Style::kWords && is_white(characters[i])) continue;
      piece.clear();
      append_utf8(piece, characters[i]);
      look_up(piece, i + 1);
    }
  } else {
    for (const auto& [piece, place] : split_words(characters)) look_up(piece, place);
  }
  unknown.throw_if_any(symbols_);
  return tokens;
}

std::string Vocabulary::decode(std::span<const TokenId> tokens) const {
  std::string text;
  for (const TokenId token : tokens) {
    if (style_ == Style::kWords && !text.empty()) text += ' ';
    text += text_of(token);
  }
  return text;
}

}  // namespace tapehead
