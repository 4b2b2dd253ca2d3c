#include "report/text_table.h"

#include <algorithm>

#include "figures/number_text.h"

namespace tapehead {

namespace {

// Characters of UTF-8 text, each taken to be one column wide.
std::size_t columns_of(const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

std::string padded(const std::string& text, std::size_t width, bool to_the_right) {
  const std::string space(width - std::min(width, columns_of(text)), ' ');
  return to_the_right ? space + text : text + space;
}

}  // namespace

std::string table_text(const Table& table) {
  std::vector<std::size_t> widths;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    widths.push_back(columns_of(table.columns[c]));
    for (const auto& row : table.rows) {
      widths[c] = std::max(widths[c], columns_of(cell_text(row[c])));
    }
  }
  std::string text = table.title.empty() ? "" : table.title + "\n";
  const auto add_line = [&](const auto& cell_of, const std::vector<Cell>* row) {
    std::string line;
    for (std::size_t c = 0; c < widths.size(); ++c) {
      const bool words = row != nullptr && std::holds_alternative<std::string>((*row)[c]);
      line += (c == 0 ? "" : "  ") + padded(cell_of(c), widths[c], !words);
    }
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  };
  add_line([&](std::size_t c) { return table.columns[c]; },
           table.rows.empty() ? nullptr : &table.rows.front());
  for (const auto& row : table.rows) {
    add_line([&](std::size_t c) { return cell_text(row[c]); }, &row);
  }
  return text;
}

}  // namespace tapehead
