#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <type_traits>

#include "train/config/config.h"

// The words that the configuration has for the values of an enumeration: what the parser accepts,
// what is printed, and what the documentation says of each.

namespace tapehead {

template <typename T>
concept Enumeration = std::is_enum_v<T>;

template <Enumeration Enum>
struct Word {
  Enum value;
  std::string_view name, meaning;
};

/// The words of an enumeration, in the order of the documentation. Values that are no choice of
/// their own, such as a scale that is a number, have none.
template <Enumeration Enum>
std::span<const Word<Enum>> words();

template <>
std::span<const Word<ModelKind>> words();
template <>
std::span<const Word<PositionKind>> words();
template <>
std::span<const Word<AttentionScores>> words();
template <>
std::span<const Word<AttentionScale::Kind>> words();
template <>
std::span<const Word<SharedProjections>> words();
template <>
std::span<const Word<NormPlacement>> words();
template <>
std::span<const Word<NormKind>> words();
template <>
std::span<const Word<Activation>> words();
template <>
std::span<const Word<InitOptions::Scheme>> words();
template <>
std::span<const Word<OptimizerKind>> words();
template <>
std::span<const Word<ScheduleKind>> words();
template <>
std::span<const Word<ProbeChoice::Mode>> words();
template <>
std::span<const Word<ProbeKind>> words();

/// The word for a value; empty if it has none.
template <Enumeration Enum>
std::string_view name_of(Enum value) {
  for (const Word<Enum>& word : words<Enum>()) {
    if (word.value == value) return word.name;
  }
  return {};
}

/// The value of that name.
template <Enumeration Enum>
std::optional<Enum> value_of(std::string_view name) {
  for (const Word<Enum>& word : words<Enum>()) {
    if (word.name == name) return word.value;
  }
  return std::nullopt;
}

}  // namespace tapehead
