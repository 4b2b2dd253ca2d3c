#include "data/task_registry.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"
#include "data/addition_exercise.h"
#include "data/bigrams_labelling.h"
#include "data/copy_exercise.h"
#include "data/coreference_exercise.h"
#include "data/dyck_labelling.h"
#include "data/hdf5_task.h"
#include "data/induction_labelling.h"
#include "data/label_task.h"
#include "data/long_recall_exercise.h"
#include "data/majority_labelling.h"
#include "data/modular_addition_task.h"
#include "data/mqar_labelling.h"
#include "data/multiplication_exercise.h"
#include "data/names_task.h"
#include "data/parity_exercise.h"
#include "data/prompt_task.h"
#include "data/recall_exercise.h"
#include "data/regression_task.h"
#include "data/reverse_exercise.h"
#include "data/selective_copy_exercise.h"
#include "data/sort_exercise.h"
#include "data/text_task.h"
#include "data/translation_exercise.h"

namespace tapehead {
namespace {

void check_keys(const TaskOptions& options, const TaskInfo& info) {
  for (const TaskField& field : task_fields()) {
    const auto own = std::ranges::find(info.keys, field.name, &TaskKey::name);
    if (own == info.keys.end() && field.is_set(options)) {
      std::vector<std::string> names;
      for (const auto& k : info.keys) names.push_back(k.name);
      throw ValueError(fmt::format("task {} has no key '{}'; its keys are {}", info.name,
                                   field.name, fmt::join(names, ", ")));
    }
    if (own != info.keys.end() && own->must_be_given() && !field.is_set(options)) {
      throw ValueError(
          fmt::format("task {} needs the key '{}': {}", info.name, field.name, own->description));
    }
  }
}

/// Sets the key of `field` to `value`, which is of its type.
void set_key(TaskOptions& options, const TaskField& field, const TaskDefault& value) {
  std::visit(
      [&](auto pointer) {
        using T = typename std::decay_t<decltype(options.*pointer)>::value_type;
        if constexpr (!std::is_same_v<T, std::string>) options.*pointer = std::get<T>(value);
      },
      field.member);
}

template <typename E, typename... Keys>
std::unique_ptr<Task> exercise(const TaskOptions& o, Keys... keys) {
  return std::make_unique<PromptTask>(std::make_unique<E>(keys...), o.layout, *o.held_out);
}

template <typename L, typename... Keys>
std::unique_ptr<Task> labelling(const TaskOptions& o, Keys... keys) {
  return std::make_unique<LabelTask>(std::make_unique<L>(keys...), o.layout, *o.held_out);
}

/// Whether a prompt and its answer stand apart, so that they can be source and target.
enum class Sources { kNone, kPrompts };
/// Whether an encoder, which sees the whole row, has anything to learn.
enum class Encoder { kLearns, kSeesTheAnswers };

struct TaskEntry {
  std::string_view name;
  Sources sources;
  Encoder encoder;
  std::unique_ptr<Task> (*make)(const TaskOptions& o);
};

constexpr TaskEntry kTasks[] = {
    {"copy", Sources::kPrompts, Encoder::kLearns,
     [](const TaskOptions& o) {
       return exercise<CopyExercise>(o, *o.length, *o.symbols, *o.min_length);
     }},
    {"reverse", Sources::kPrompts, Encoder::kLearns,
     [](const TaskOptions& o) {
       return exercise<ReverseExercise>(o, *o.length, *o.symbols, *o.min_length);
     }},
    {"sort", Sources::kPrompts, Encoder::kLearns,
     [](const TaskOptions& o) {
       return exercise<SortExercise>(o, *o.length, *o.symbols, *o.min_length);
     }},
    {"addition", Sources::kPrompts, Encoder::kLearns,
     [](const TaskOptions& o) {
       return exercise<AdditionExercise>(o, *o.digits, *o.reversed, *o.carries);
     }},
    {"multiplication", Sources::kPrompts, Encoder::kLearns,
     [](const TaskOptions& o) {
       return exercise<MultiplicationExercise>(o, *o.digits, *o.reversed);
     }},
    {"modular_addition", Sources::kNone, Encoder::kLearns,
     [](const TaskOptions& o) -> std::unique_ptr<Task> {
       return std::make_unique<ModularAdditionTask>(*o.modulus, *o.train_fraction, o.layout);
     }},
    {"parity", Sources::kPrompts, Encoder::kLearns,
     [](const TaskOptions& o) { return exercise<ParityExercise>(o, *o.length, *o.running); }},
    {"majority", Sources::kNone, Encoder::kLearns,
     [](const TaskOptions& o) { return labelling<MajorityLabelling>(o, *o.length); }},
    {"dyck", Sources::kNone, Encoder::kSeesTheAnswers,
     [](const TaskOptions& o) {
       return labelling<DyckLabelling>(o, *o.length, *o.depth, *o.symbols);
     }},
    {"recall", Sources::kPrompts, Encoder::kLearns,
     [](const TaskOptions& o) {
       return exercise<RecallExercise>(o, *o.pairs, *o.keys, *o.values);
     }},
    {"mqar", Sources::kNone, Encoder::kLearns,
     [](const TaskOptions& o) {
       return labelling<MqarLabelling>(o, *o.length, *o.pairs, *o.symbols, *o.power,
                                       *o.random_fill);
     }},
    {"long_recall", Sources::kPrompts, Encoder::kLearns,
     [](const TaskOptions& o) { return exercise<LongRecallExercise>(o, *o.distance, *o.symbols); }},
    {"induction", Sources::kNone, Encoder::kLearns,
     [](const TaskOptions& o) { return labelling<InductionLabelling>(o, *o.length, *o.symbols); }},
    {"bigrams", Sources::kNone, Encoder::kSeesTheAnswers,
     [](const TaskOptions& o) {
       return labelling<BigramsLabelling>(o, *o.length, *o.symbols, *o.triggers);
     }},
    {"selective_copy", Sources::kPrompts, Encoder::kLearns,
     [](const TaskOptions& o) {
       return exercise<SelectiveCopyExercise>(o, *o.length, *o.items, *o.symbols);
     }},
    {"coreference", Sources::kPrompts, Encoder::kLearns,
     [](const TaskOptions& o) { return exercise<CoreferenceExercise>(o, *o.nouns, *o.distance); }},
    {"translation", Sources::kPrompts, Encoder::kLearns,
     [](const TaskOptions& o) { return exercise<TranslationExercise>(o, *o.clauses); }},
    {"names", Sources::kNone, Encoder::kSeesTheAnswers,
     [](const TaskOptions& o) -> std::unique_ptr<Task> {
       return std::make_unique<NamesTask>(*o.path, *o.held_out);
     }},
    {"text", Sources::kNone, Encoder::kSeesTheAnswers,
     [](const TaskOptions& o) -> std::unique_ptr<Task> {
       return std::make_unique<TextTask>(*o.path, *o.length, *o.validation);
     }},
    {"regression", Sources::kNone, Encoder::kSeesTheAnswers,
     [](const TaskOptions& o) -> std::unique_ptr<Task> {
       return std::make_unique<RegressionTask>(*o.dimensions, *o.points, *o.noise, *o.held_out,
                                               *o.curriculum);
     }},
    {"dataset", Sources::kNone, Encoder::kLearns,
     [](const TaskOptions& o) -> std::unique_ptr<Task> {
       return std::make_unique<Hdf5Task>(*o.path, o.layout);
     }},
};

}  // namespace

TaskOptions with_defaults(TaskOptions options) {
  const TaskInfo info = task_info(options.name);
  check_keys(options, info);
  for (const TaskKey& key : info.keys) {
    const auto field = std::ranges::find(task_fields(), key.name, &TaskField::name);
    if (!field->is_set(options)) set_key(options, *field, key.default_value);
  }
  return options;
}

std::unique_ptr<Task> make_task(const TaskOptions& options) {
  const TaskOptions o = with_defaults(options);
  const TaskEntry& entry = *std::ranges::find(kTasks, o.name, &TaskEntry::name);
  if (o.layout == Layout::kSourceTarget && entry.sources == Sources::kNone) {
    throw ValueError(fmt::format(
        "task {} has no sources, which an encoder-decoder reads; choose another kind of model",
        o.name));
  }
  if (o.layout == Layout::kParallel && entry.encoder == Encoder::kSeesTheAnswers) {
    throw ValueError(fmt::format(
        "task {} needs a causal model: an encoder sees what it should predict; set model.kind to "
        "\"decoder\", \"rnn\", \"lstm\", \"gru\" or \"conv\"",
        o.name));
  }
  return entry.make(o);
}

}  // namespace tapehead
