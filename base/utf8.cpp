#include "base/utf8.h"

#include <array>

#include <fmt/format.h>

namespace tapehead {
namespace {

constexpr char32_t kLastCodePoint = 0x10FFFF;
constexpr char32_t kFirstSurrogate = 0xD800;
constexpr char32_t kLastSurrogate = 0xDFFF;
constexpr unsigned kContinuationBits = 6;
constexpr unsigned char kContinuationMask = 0x3F;

/// The smallest code point that needs as many bytes.
constexpr std::array<char32_t, 5> kSmallest{0, 0, 0x80, 0x800, 0x10000};

unsigned char byte_at(std::string_view bytes, std::size_t i) {
  return static_cast<unsigned char>(bytes[i]);
}

bool is_continuation(unsigned char byte) { return (byte & ~kContinuationMask) == 0x80; }

/// Number of bytes that a lead byte announces; 0 if it is none.
std::size_t announced_size(unsigned char lead) {
  if (lead < 0x80) return 1;
  if (lead < 0xC0) return 0;
  if (lead < 0xE0) return 2;
  if (lead < 0xF0) return 3;
  return lead < 0xF8 ? 4 : 0;
}

/// Why `value`, written in `size` bytes, is no character; null if it is one.
const char* problem_of(char32_t value, std::size_t size) {
  if (value < kSmallest[size]) return "an overlong form";
  if (value >= kFirstSurrogate && value <= kLastSurrogate) return "a surrogate";
  if (value > kLastCodePoint) return "a value beyond U+10FFFF";
  return nullptr;
}

}  // namespace

std::optional<Utf8Problem> decode_utf8(std::string_view bytes, std::vector<char32_t>& out) {
  std::size_t begin = 0;
  while (begin < bytes.size()) {
    const unsigned char lead = byte_at(bytes, begin);
    const std::size_t size = announced_size(lead);
    if (size == 0) return Utf8Problem{begin, fmt::format("0x{:02X} begins no character", lead)};
    char32_t value = size == 1 ? lead : lead & (0x7FU >> size);
    for (std::size_t i = 1; i < size; ++i) {
      if (begin + i == bytes.size()) return Utf8Problem{begin, "the end cuts a character"};
      const unsigned char byte = byte_at(bytes, begin + i);
      if (!is_continuation(byte)) {
        return Utf8Problem{begin, fmt::format("a character is cut short by 0x{:02X}", byte)};
      }
      value = (value << kContinuationBits) | (byte & kContinuationMask);
    }
    if (const char* problem = problem_of(value, size)) return Utf8Problem{begin, problem};
    out.push_back(value);
    begin += size;
  }
  return std::nullopt;
}

bool is_scalar_value(char32_t code_point) {
  return code_point <= kLastCodePoint &&
         (code_point < kFirstSurrogate || code_point > kLastSurrogate);
}

void append_utf8(std::string& text, char32_t code_point) {
  std::size_t size = 1;
  while (size < 4 && code_point >= kSmallest[size + 1]) ++size;
  if (size == 1) {
    text.push_back(static_cast<char>(code_point));
    return;
  }
  const unsigned lead_mark = (0xF00U >> size) & 0xFFU;  // as many ones as there are bytes
  for (std::size_t i = 0; i < size; ++i) {
    const auto shift = kContinuationBits * static_cast<unsigned>(size - 1 - i);
    const char32_t bits = code_point >> shift;
    text.push_back(
        static_cast<char>(i == 0 ? lead_mark | bits : 0x80 | (bits & kContinuationMask)));
  }
}

std::string to_utf8(char32_t code_point) {
  std::string text;
  append_utf8(text, code_point);
  return text;
}

}  // namespace tapehead
