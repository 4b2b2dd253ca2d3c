// What a key's description says as text, and what follows from it for a value.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <vector>

#include "base/nearest_word.h"
#include "train/config/config_keys.h"
#include "train/config/words.h"

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

bool allows(const Allowed& allowed, const std::string& value) {
  const auto* words = std::get_if<Words>(&allowed);
  return words == nullptr || std::ranges::count(split(words->list), value) > 0;
}

bool allows(const Allowed&, bool) { return true; }

bool allows(const Allowed& allowed, const std::array<double, 2>& value) {
  return allows(allowed, value[0]) && allows(allowed, value[1]);
}

bool allows(const Allowed&, const AttentionScale& value) {
  return std::abs(value.number) <= std::numeric_limits<float>::max();
}

bool allows(const Allowed&, const ProbeChoice&) { return true; }

template <Enumeration Enum>
bool allows(const Allowed&, Enum) {
  return true;
}

std::string toml_text(bool value) { return value ? "true" : "false"; }
std::string toml_text(Index value) { return fmt::format("{}", value); }
std::string toml_text(double value) { return float_text(value); }
std::string toml_text(const std::string& value) { return quoted_text(value); }
std::string toml_text(const std::array<double, 2>& value) {
  return fmt::format("[{}, {}]", float_text(value[0]), float_text(value[1]));
}
template <Enumeration Enum>
std::string toml_text(Enum value) {
  return quoted_text(name_of(value));
}
std::string toml_text(const AttentionScale& value) {
  const bool number = value.kind == AttentionScale::Kind::kNumber;
  return number ? float_text(value.number) : toml_text(value.kind);
}
std::string toml_text(const ProbeChoice& value) {
  if (value.mode != ProbeChoice::Mode::kListed) return toml_text(value.mode);
  std::vector<std::string_view> names;
  for (const ProbeKind kind : value.listed) names.push_back(name_of(kind));
  return quoted_text(fmt::format("{}", fmt::join(names, ",")));
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

// The words of an enumeration, or those that stand in a list.
template <Enumeration Enum>
std::vector<std::string_view> names() {
  std::vector<std::string_view> all;
  for (const Word<Enum>& word : words<Enum>()) all.push_back(word.name);
  return all;
}

// "a", "b"
std::string quoted_words(const std::vector<std::string_view>& words) {
  std::string text;
  for (const std::string_view word : words) {
    text += fmt::format("{}\"{}\"", text.empty() ? "" : ", ", word);
  }
  return text;
}

std::string one_of(const std::vector<std::string_view>& words) {
  return (words.size() == 1 ? "" : "one of ") + quoted_words(words);
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
      [this](const std::string&) -> std::string {
        const auto* words = std::get_if<Words>(&allowed);
        return words == nullptr ? "text" : one_of(split(words->list));
      },
      [this](const std::array<double, 2>&) { return "two numbers" + bounds_text(allowed); },
      [](const AttentionScale&) {
        return one_of(names<AttentionScale::Kind>()) + ", or a number that float32 holds";
      },
      [](const ProbeChoice&) {
        return fmt::format("{}, or some of {}, each once, with commas and no spaces between them",
                           one_of(names<ProbeChoice::Mode>()), quoted_words(names<ProbeKind>()));
      },
      []<Enumeration Enum>(Enum) { return one_of(names<Enum>()); }};
  Config config;
  return std::visit([&](const auto& f) { return text(f(config)); }, field);
}

bool ConfigKey::is_text() const {
  return std::visit(
      []<typename Value>(Reach<Value>) {
        return Enumeration<Value> || std::is_same_v<Value, std::string> ||
               std::is_same_v<Value, ProbeChoice>;
      },
      field);
}

namespace {

template <Enumeration Enum>
void add_words(std::vector<WordMeaning>& all) {
  for (const Word<Enum>& word : words<Enum>()) all.push_back({word.name, word.meaning});
}

}  // namespace

std::vector<WordMeaning> ConfigKey::words() const {
  std::vector<WordMeaning> all;
  std::visit(
      [&all]<typename Value>(Reach<Value>) {
        if constexpr (Enumeration<Value>) add_words<Value>(all);
        if constexpr (std::is_same_v<Value, AttentionScale>) add_words<AttentionScale::Kind>(all);
        if constexpr (std::is_same_v<Value, ProbeChoice>) {
          add_words<ProbeChoice::Mode>(all);
          add_words<ProbeKind>(all);
        }
      },
      field);
  return all;
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
