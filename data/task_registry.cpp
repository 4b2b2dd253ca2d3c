#include "data/task_registry.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "autograd/error.h"
#include "data/addition_exercise.h"
#include "data/copy_exercise.h"
#include "data/hdf5_task.h"
#include "data/prompt_task.h"
#include "data/recall_exercise.h"
#include "data/reverse_exercise.h"
#include "data/sort_exercise.h"
#include "data/text_task.h"

namespace tapehead {
namespace {

TaskKey key(const char* name, Index default_value, const char* description) {
  return {name, fmt::format("{}", default_value), description};
}

TaskKey held_out_key() {
  return key("held_out", kDefaultHeldOut, "prompts that are never trained on");
}

std::vector<TaskKey> sequence_keys() {
  return {key("length", SequenceExercise::kDefaultLength, "symbols of a prompt"),
          key("symbols", SequenceExercise::kDefaultSymbols, "different symbols, up to 62"),
          held_out_key()};
}

TaskInfo addition_info() {
  return {"addition",
          "add two numbers; the answer's last digit comes first",
          "0 2 7 + 0 9 5 > 2 2 1 0",
          {key("digits", AdditionExercise::kDefaultDigits, "digits of each number"),
           {"reversed", AdditionExercise::kDefaultReversed ? "true" : "false",
            "last digit of the answer first: learns faster"},
           held_out_key()}};
}

TaskInfo recall_info() {
  return {"recall",
          "associative recall: the pair of a key and its value",
          "c 3 a 7 b 1 f 7 a > a 7",
          {key("pairs", RecallExercise::kDefaultPairs, "pairs of a prompt"),
           key("keys", RecallExercise::kDefaultKeys, "different keys, up to 52"),
           key("values", RecallExercise::kDefaultValues, "different values, up to 10"),
           held_out_key()}};
}

TaskInfo text_info() {
  return {"text",
          "predict the next character of a UTF-8 file",
          "to be or not t -> o be or not to",
          {{"path", "", "the file"},
           key("length", TextTask::kDefaultLength, "characters of context"),
           {"validation", fmt::format("{}", TextTask::kDefaultValidation),
            "part of the file, at its end, that is held out"}}};
}

/// Whether the key called `name` is set.
bool is_set(const TaskOptions& o, std::string_view name) {
  return (name == "path" && o.path) || (name == "length" && o.length) ||
         (name == "symbols" && o.symbols) || (name == "digits" && o.digits) ||
         (name == "reversed" && o.reversed) || (name == "pairs" && o.pairs) ||
         (name == "keys" && o.keys) || (name == "values" && o.values) ||
         (name == "held_out" && o.held_out) || (name == "validation" && o.validation);
}

constexpr const char* kAllKeys[] = {"path",  "length", "symbols", "digits",   "reversed",
                                    "pairs", "keys",   "values",  "held_out", "validation"};

void check_keys(const TaskOptions& options, const TaskInfo& info) {
  for (const char* name : kAllKeys) {
    const auto own = std::ranges::find(info.keys, name, &TaskKey::name);
    if (own == info.keys.end() && is_set(options, name)) {
      std::vector<std::string> names;
      for (const auto& k : info.keys) names.push_back(k.name);
      throw ValueError(fmt::format("task {} has no key '{}'; its keys are {}", info.name, name,
                                   fmt::join(names, ", ")));
    }
    if (own != info.keys.end() && own->default_value.empty() && !is_set(options, name)) {
      throw ValueError(
          fmt::format("task {} needs the key '{}': {}", info.name, name, own->description));
    }
  }
}

template <typename T, typename U>
void set_default(std::optional<T>& option, U value) {
  if (!option) option = value;
}

bool is_sequence(std::string_view name) {
  return name == "copy" || name == "reverse" || name == "sort";
}

std::unique_ptr<const Exercise> make_exercise(const TaskOptions& o) {
  if (o.name == "copy") return std::make_unique<CopyExercise>(*o.length, *o.symbols);
  if (o.name == "reverse") return std::make_unique<ReverseExercise>(*o.length, *o.symbols);
  if (o.name == "sort") return std::make_unique<SortExercise>(*o.length, *o.symbols);
  if (o.name == "addition") return std::make_unique<AdditionExercise>(*o.digits, *o.reversed);
  return std::make_unique<RecallExercise>(*o.pairs, *o.keys, *o.values);
}

}  // namespace

std::vector<TaskInfo> task_infos() {
  return {{"copy", "repeat the prompt", "3 1 4 > 3 1 4", sequence_keys()},
          {"reverse", "give the prompt back to front", "3 1 4 > 4 1 3", sequence_keys()},
          {"sort", "sort the prompt's symbols", "3 1 4 1 > 1 1 3 4", sequence_keys()},
          addition_info(),
          recall_info(),
          text_info(),
          {"dataset",
           "rows of an HDF5 file (docs/file_formats.md)",
           "train/inputs, train/targets, held_out/inputs, held_out/targets",
           {{"path", "", "the file"}}}};
}

std::vector<std::string> task_names() {
  std::vector<std::string> names;
  for (auto& info : task_infos()) names.push_back(std::move(info.name));
  return names;
}

TaskInfo task_info(std::string_view name) {
  for (auto& info : task_infos()) {
    if (info.name == name) return info;
  }
  std::error_code error;
  const std::string hint =
      std::filesystem::is_regular_file(name, error)
          ? fmt::format("; '{}' is a file: use task text (or dataset for HDF5) with this path",
                        name)
          : "";
  throw ValueError(fmt::format("there is no task '{}'; tasks are {}{}", name,
                               fmt::join(task_names(), ", "), hint));
}

TaskOptions with_defaults(TaskOptions options) {
  check_keys(options, task_info(options.name));
  if (is_sequence(options.name)) {
    set_default(options.length, SequenceExercise::kDefaultLength);
    set_default(options.symbols, SequenceExercise::kDefaultSymbols);
  } else if (options.name == "addition") {
    set_default(options.digits, AdditionExercise::kDefaultDigits);
    set_default(options.reversed, AdditionExercise::kDefaultReversed);
  } else if (options.name == "recall") {
    set_default(options.pairs, RecallExercise::kDefaultPairs);
    set_default(options.keys, RecallExercise::kDefaultKeys);
    set_default(options.values, RecallExercise::kDefaultValues);
  } else if (options.name == "text") {
    set_default(options.length, TextTask::kDefaultLength);
    set_default(options.validation, TextTask::kDefaultValidation);
  }
  if (options.name != "text" && options.name != "dataset") {
    set_default(options.held_out, kDefaultHeldOut);
  }
  return options;
}

std::unique_ptr<Task> make_task(const TaskOptions& options) {
  const TaskOptions o = with_defaults(options);
  if (o.layout == Layout::kSourceTarget && (o.name == "text" || o.name == "dataset")) {
    throw ValueError(fmt::format(
        "task {} has no sources, which an encoder-decoder reads; choose another kind of model",
        o.name));
  }
  if (o.name == "text") {
    if (o.layout == Layout::kParallel) {
      throw ValueError(
          "task text needs a decoder: an encoder sees the characters that it should predict");
    }
    return std::make_unique<TextTask>(*o.path, *o.length, *o.validation);
  }
  if (o.name == "dataset") return std::make_unique<Hdf5Task>(*o.path, o.layout);
  return std::make_unique<PromptTask>(make_exercise(o), o.layout, *o.held_out);
}

}  // namespace tapehead
