#include "report/escape.h"

#include <cctype>
#include <vector>

#include "base/utf8.h"

namespace tapehead {

namespace {

constexpr char32_t kReplacement = 0xFFFD;

// The characters that XML 1.0 admits (section 2.2), less the controls from U+007F to U+009F.
bool is_shown(char32_t c) {
  if (c == '\t' || c == '\n' || c == '\r') return true;
  return (c >= 0x20 && c < 0x7F) || (c >= 0xA0 && c != 0xFFFE && c != 0xFFFF);
}

// All of the text: a byte that belongs to no character becomes a replacement character.
std::vector<char32_t> code_points_of(std::string_view text) {
  std::vector<char32_t> result;
  while (const auto problem = decode_utf8(text, result)) {
    result.push_back(kReplacement);
    text.remove_prefix(problem->byte + 1);
  }
  return result;
}

std::string replaced(std::string text, std::string_view what, std::string_view by) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at)) {
    text.replace(at, what.size(), by);
    at += by.size();
  }
  return text;
}

}  // namespace

std::string markup_text(std::string_view text) {
  std::string result;
  for (const char32_t c : code_points_of(text)) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      case '\'':
        result += "&#39;";
        break;
      default:
        append_utf8(result, is_shown(c) ? c : kReplacement);
    }
  }
  return result;
}

std::string inline_json(std::string json) { return replaced(std::move(json), "<", "\\u003c"); }

std::string inline_script(std::string_view script) {
  return replaced(replaced(std::string(script), "</script", "<\\/script"), "<!--", "<\\!--");
}

std::string file_name(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0;
    if (plain) result += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    if (!plain && !result.empty() && result.back() != '-') result += '-';
  }
  while (result.ends_with('-')) result.pop_back();
  return result.empty() ? "figure" : result;
}

}  // namespace tapehead
