#pragma once

#include <cctype>
#include <string>
#include <string_view>
#include <vector>

namespace tapehead::testing {

/// What is wrong with an XML text, or nothing: tags that do not match, attributes without quotes,
/// bare & or <. Enough for what the project writes: no comments, no CDATA.
inline std::string xml_problem(std::string_view xml) {
  std::vector<std::string> open;
  bool had_root = false;
  for (std::size_t i = 0; i < xml.size(); ++i) {
    const auto byte = static_cast<unsigned char>(xml[i]);
    if (byte < 0x20 && byte != '\n') return "a control character";
    if (xml[i] == '&') {
      const std::size_t end = xml.find(';', i);
      if (end == std::string_view::npos || end - i > 6) return "a bare &";
    }
    if (xml[i] != '<') continue;
    const std::size_t end = xml.find('>', i);
    if (end == std::string_view::npos) return "a tag that does not end";
    std::string_view tag = xml.substr(i + 1, end - i - 1);
    i = end;
    if (tag.starts_with('?')) continue;
    if (tag.find('<') != std::string_view::npos) return "a bare <";
    if (tag.starts_with('/')) {
      if (open.empty() || open.back() != tag.substr(1)) return "an end without a beginning";
      open.pop_back();
      continue;
    }
    const bool closed = tag.ends_with('/');
    std::size_t quotes = 0;
    for (const char c : tag) quotes += c == '"' ? 1 : 0;
    std::size_t equals = tag.find("=\"") == std::string_view::npos ? 0 : 1;
    if (quotes % 2 != 0 || (equals == 0 && quotes != 0)) return "quotes that do not match";
    if (open.empty() && had_root) return "two roots";
    had_root = true;
    std::string name(tag.substr(0, tag.find_first_of(" /")));
    if (!closed) open.push_back(std::move(name));
  }
  if (!open.empty()) return open.back() + " is not closed";
  return had_root ? "" : "no root";
}

/// How often `part` stands in `text`.
inline int count_of(std::string_view text, std::string_view part) {
  int count = 0;
  for (std::size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at)) {
    ++count;
    at += part.size();
  }
  return count;
}

}  // namespace tapehead::testing
