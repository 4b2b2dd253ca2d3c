#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tapehead {

/// Where and why bytes are not UTF-8.
struct Utf8Problem {
  std::size_t byte = 0;  ///< from 0: the first byte of the bad character
  std::string what;
};

/// Appends the code points of `bytes` to `out`, up to the first problem, if there is one. Overlong
/// forms, surrogates and values beyond U+10FFFF are problems, as in the Unicode standard, table
/// 3-7.
std::optional<Utf8Problem> decode_utf8(std::string_view bytes, std::vector<char32_t>& out);

/// Whether `code_point` can be written in UTF-8: up to U+10FFFF and no surrogate.
bool is_scalar_value(char32_t code_point);

/// Appends a code point, which must be a scalar value.
void append_utf8(std::string& text, char32_t code_point);
std::string to_utf8(char32_t code_point);

}  // namespace tapehead
