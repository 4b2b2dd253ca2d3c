#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "base/types.h"
#include "data/batch.h"

namespace tapehead {

/// Which task, and how difficult. Each task has its own keys (see task_info()); those that are not
/// set take its defaults, and one that the task does not have is an error.
struct TaskOptions {
  std::string name = "reverse";
  Layout layout = Layout::kCausal;
  std::optional<std::string> path;
  std::optional<Index> length;
  std::optional<Index> min_length;
  std::optional<Index> symbols;
  std::optional<Index> digits;
  std::optional<bool> reversed;
  std::optional<Index> carries;
  std::optional<bool> running;
  std::optional<Index> depth;
  std::optional<Index> pairs;
  std::optional<Index> keys;
  std::optional<Index> values;
  std::optional<double> power;
  std::optional<bool> random_fill;
  std::optional<Index> triggers;
  std::optional<Index> items;
  std::optional<Index> distance;
  std::optional<Index> nouns;
  std::optional<Index> clauses;
  std::optional<Index> modulus;
  std::optional<double> train_fraction;
  std::optional<Index> dimensions;
  std::optional<Index> points;
  std::optional<double> noise;
  std::optional<Index> curriculum;
  std::optional<Index> held_out;
  std::optional<double> validation;
};

/// A key of TaskOptions by its name.
struct TaskField {
  template <typename T>
  using Member = std::optional<T> TaskOptions::*;

  std::string_view name;
  std::variant<Member<Index>, Member<double>, Member<bool>, Member<std::string>> member;

  bool is_set(const TaskOptions& options) const;
};

/// All keys, in the order of their declaration.
std::span<const TaskField> task_fields();

}  // namespace tapehead
