// What a key's description says as text, and what follows from it for a value.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <vector>

#include "base/nearest_word.h"
#include "train/config/config_keys.h"

namespace tapehead {

namespace {

template <typename... Ts>
struct Overloaded : Ts... {
  using Ts::operator()...;
};
template <typename... Ts>
Overloaded(Ts...) -> Overloaded<Ts...>;

std::vector<std::string_view> split(std::string_view list, char separator = '|') {
  std::vector<std::string_view> words;
  while (!list.empty()) {
    const std::size_t bar = std::min(list.find(separator), list.size());
    words.push_back(list.substr(0, bar));
    list.remove_prefix(std::min(bar + 1, list.size()));
  }
  return words;
}

bool allows(const Allowed& allowed, double value) {
  if (!std::isfinite(value)) return false;
  const auto* range = std::get_if<RealRange>(&allowed);
  if (range == nullptr) return true;
  const bool above = range->low_open ? value > range->low : value >= range->low;
  const bool below = range->high_open ? value < range->high : value <= range->high;
  return above && below;
}

bool allows(const Allowed& allowed, Index value) {
  const auto* range = std::get_if<IntegerRange>(&allowed);
  return range == nullptr || (value >= range->low && value <= range->high);
}

bool allows(const WordLists& lists, const std::string& value) {
  if (std::ranges::count(split(lists.alone), value) > 0) return true;
  const auto words = split(lists.list), chosen = split(value, ',');
  const auto known_once = [&](std::string_view word) {
    return std::ranges::count(words, word) > 0 && std::ranges::count(chosen, word) == 1;
  };
  return !chosen.empty() && !value.ends_with(',') && std::ranges::all_of(chosen, known_once);
}

bool allows(const Allowed& allowed, const std::string& value) {
  if (const auto* lists = std::get_if<WordLists>(&allowed)) return allows(*lists, value);
  const auto* words = std::get_if<Words>(&allowed);
  return words == nullptr || std::ranges::count(split(words->list), value) > 0;
}

bool allows(const Allowed&, bool) { return true; }

bool allows(const Allowed& allowed, const std::array<double, 2>& value) {
  return allows(allowed, value[0]) && allows(allowed, value[1]);
}

bool allows(const Allowed& allowed, const WordOrNumber& value) {
  if (const double* number = std::get_if<double>(&value)) {
    return std::abs(*number) <= std::numeric_limits<float>::max();
  }
  return allows(allowed, std::get<std::string>(value));
}

std::string toml_text(bool value) { return value ? "true" : "false"; }
std::string toml_text(Index value) { return fmt::format("{}", value); }
std::string toml_text(double value) { return float_text(value); }
std::string toml_text(const std::string& value) { return quoted_text(value); }
std::string toml_text(const std::array<double, 2>& value) {
  return fmt::format("[{}, {}]", float_text(value[0]), float_text(value[1]));
}
std::string toml_text(const WordOrNumber& value) {
  return std::visit([](const auto& v) { return toml_text(v); }, value);
}

std::string bounds_text(const IntegerRange& range) {
  const bool bounded = range.high != IntegerRange{}.high;
  return fmt::format(" >= {}{}", range.low, bounded ? fmt::format(" and <= {}", range.high) : "");
}

// " >= 0 and < 1"; empty if there is no bound.
std::string bounds_text(const RealRange& range) {
  std::string text = fmt::format(" {} {}", range.low_open ? ">" : ">=", range.low);
  if (std::isfinite(range.high)) {
    text += fmt::format(" and {} {}", range.high_open ? "<" : "<=", range.high);
  }
  return text;
}

std::string bounds_text(const Allowed& allowed) {
  return std::visit(Overloaded{[](const RealRange& range) { return bounds_text(range); },
                               [](const IntegerRange& range) { return bounds_text(range); },
                               [](const auto&) { return std::string(); }},
                    allowed);
}

// "a", "b"
std::string quoted_words(std::string_view words) {
  std::string text;
  for (const std::string_view word : split(words)) {
    text += fmt::format("{}\"{}\"", text.empty() ? "" : ", ", word);
  }
  return text;
}

std::string words_text(const Allowed& allowed) {
  if (const auto* lists = std::get_if<WordLists>(&allowed)) {
    return fmt::format(
        "one of {}, or some of {}, each once, with commas and no spaces between them",
        quoted_words(lists->alone), quoted_words(lists->list));
  }
  const auto* words = std::get_if<Words>(&allowed);
  if (words == nullptr) return "text";
  const bool one = words->list.find('|') == std::string_view::npos;
  return fmt::format("{}{}", one ? "" : "one of ", quoted_words(words->list));
}

}  // namespace

std::string float_text(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

std::string quoted_text(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      quoted += {'\\', c};
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      quoted += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      quoted += c;
    }
  }
  return quoted + '"';
}

std::string ConfigKey::value_text(Config config) const {
  return std::visit([&](const auto& f) { return toml_text(f(config)); }, field);
}

bool ConfigKey::holds_for(Config config) const {
  return std::visit([&](const auto& f) { return allows(allowed, f(config)); }, field);
}

std::string ConfigKey::allowed_text() const {
  const auto text = Overloaded{
      [](bool) -> std::string { return "true or false"; },
      [this](Index) { return "a whole number" + bounds_text(allowed); },
      [this](double) { return "a number" + bounds_text(allowed); },
      [this](const std::string&) { return words_text(allowed); },
      [this](const std::array<double, 2>&) { return "two numbers" + bounds_text(allowed); },
      [this](const WordOrNumber&) {
        return words_text(allowed) + ", or a number that float32 holds";
      }};
  Config config;
  return std::visit([&](const auto& f) { return text(f(config)); }, field);
}

std::string_view nearest_config_key(std::string_view name) {
  const std::string_view last = name.substr(name.rfind('.') + 1);
  std::string_view nearest;
  std::size_t smallest = kNoSlip;
  for (const ConfigKey& key : config_keys()) {
    if (key.short_name() == last) return key.name;  // in the wrong section
    const std::size_t distance =
        std::min(edit_distance(name, key.name), edit_distance(last, key.short_name()));
    if (distance < smallest) {
      smallest = distance;
      nearest = key.name;
    }
  }
  return nearest;
}

}  // namespace tapehead
