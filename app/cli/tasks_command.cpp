#include <algorithm>
#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/cli/command.h"
#include "base/atomic_file.h"
#include "base/error.h"
#include "data/hdf5_task.h"
#include "data/task_registry.h"
#include "train/config/build_task.h"
#include "train/run_folder.h"

namespace tapehead::cli {

namespace {

struct TasksOptions {
  std::string name, write;
  std::vector<std::string> settings;
  Index rows = 10000;
  Index seed = 1;
  bool has_rows = false, has_seed = false;
  bool force = false, json = false;
};

constexpr Index kShownExamples = 5;

Json to_json(const TaskInfo& info) {
  Json keys = Json::array();
  for (const TaskKey& key : info.keys) {
    keys.push_back({{"name", key.name},
                    {"default", key.default_text()},
                    {"limits", key.limits},
                    {"description", key.description}});
  }
  return {{"name", info.name},
          {"description", info.description},
          {"example", info.example},
          {"measure", info.measure},
          {"chance", info.chance},
          {"source", info.source},
          {"keys", keys}};
}

void list_tasks(bool json) {
  Json list = Json::array();
  for (const TaskInfo& info : task_infos()) {
    if (json) {
      list.push_back(to_json(info));
    } else {
      fmt::print("{:<16} {}\n{:<16}   {}\n", info.name, info.description, "", info.example);
    }
  }
  if (json) print_json({{"tasks", list}});
}

std::unique_ptr<Task> configured_task(const TasksOptions& options) {
  ConfigSources sources;
  sources.settings.push_back(
      set_field(&Config::task, &TaskConfig::name, options.name, options.name));
  for (const std::string& s : options.settings) sources.settings.push_back({s});
  return build_task(resolve_config(sources));
}

// The tokens of row `row`, of `length` each.
std::string row_text(const Vocabulary& symbols, const std::vector<TokenId>& tokens, Index length,
                     Index row) {
  std::string text;
  for (Index t = row * length; t < (row + 1) * length; ++t) {
    const TokenId token = tokens[static_cast<std::size_t>(t)];
    if (token == kPadToken) continue;
    text += ' ' + (token == kIgnoreTarget ? std::string("_") : symbols.symbol(token));
  }
  return text;
}

// The numbers of row `row`, a time step in brackets, and those that are asked for.
std::string real_rows(const Batch& batch, Index row) {
  std::string inputs, targets;
  for (Index t = row * batch.length; t < (row + 1) * batch.length; ++t) {
    const auto numbers = [t](const std::vector<float>& all, Index width) {
      std::string text;
      for (Index i = t * width; i < (t + 1) * width; ++i) {
        text += fmt::format("{}{:.2f}", text.empty() ? "" : " ", all[static_cast<std::size_t>(i)]);
      }
      return text;
    };
    const bool asked = batch.targets[static_cast<std::size_t>(t)] != kIgnoreTarget;
    inputs += fmt::format(" ({})", numbers(batch.features, batch.feature_width));
    targets += asked ? ' ' + numbers(batch.real_targets, batch.target_width) : " _";
  }
  return fmt::format("  input  {}\n  target {}\n", inputs, targets);
}

// Held-out rows as text, two or three lines each.
std::vector<std::string> examples_of(const Task& task) {
  Batch batch;
  task.held_out_batch(0, std::min(kShownExamples, task.held_out_rows()), batch);
  std::vector<std::string> examples;
  for (Index row = 0; row < batch.rows; ++row) {
    if (batch.feature_width > 0) {
      examples.push_back(real_rows(batch, row));
      continue;
    }
    std::string text;
    if (batch.source_length > 0) {
      text += fmt::format("  source {}\n",
                          row_text(task.source_symbols(), batch.sources, batch.source_length, row));
    }
    examples.push_back(text +
                       fmt::format("  input  {}\n  target {}\n",
                                   row_text(task.symbols(), batch.inputs, batch.length, row),
                                   row_text(task.symbols(), batch.targets, batch.length, row)));
  }
  return examples;
}

void print_info(const TaskInfo& info, const Task* task) {
  fmt::print("{}: {}\nin short: {}\nmeasure: {}\nchance: {}\n", info.name, info.description,
             info.example, info.measure, info.chance);
  if (task != nullptr && task->chance()) {
    fmt::print("  with these settings: {:.4g}\n", *task->chance());
  }
  fmt::print("source: {}\nkeys (--set task.KEY=VALUE):\n", info.source);
  for (const TaskKey& key : info.keys) {
    const std::string limits = key.limits.empty() ? "" : key.limits + "; ";
    fmt::print(
        "  {:<14} {}{}\n", key.name, key.description,
        key.must_be_given() ? "" : fmt::format(" ({}default {})", limits, key.default_text()));
  }
}

void show_task(const TasksOptions& options) {
  const TaskInfo info = task_info(options.name);
  const bool needs_file = std::ranges::any_of(
      info.keys, [](const TaskKey& key) { return key.name == "path" && key.must_be_given(); });
  std::unique_ptr<Task> task;  // made before anything is printed: the settings may be wrong
  if (!needs_file || !options.settings.empty()) task = configured_task(options);
  const std::vector<std::string> examples =
      task == nullptr ? std::vector<std::string>() : examples_of(*task);  // no file, no examples
  if (options.json) {
    Json object = to_json(info);
    if (task != nullptr) {
      object["chance_value"] = task->chance() ? Json(*task->chance()) : Json();
      object["held_out_rows"] = task->held_out_rows();
      object["examples"] = examples;
    }
    print_json(object);
    return;
  }
  print_info(info, task.get());
  if (task == nullptr) return;
  fmt::print("held-out examples {} ('_' is not asked for):\n{}",
             options.settings.empty() ? "as difficult as by default" : "with these settings",
             fmt::join(examples, ""));
}

void check_options(const TasksOptions& options) {
  if (options.write.empty() && (options.has_rows || options.has_seed || options.force)) {
    throw ValueError("tasks: --rows, --seed and --force are for --write FILE, which is missing");
  }
  if (options.name.empty() && (!options.write.empty() || !options.settings.empty())) {
    throw ValueError("tasks: --write and --set need the name of a task");
  }
}

// Throws if `path` may not be written to. What is no file (a folder, a device) never may.
void check_output(const fs::path& path, bool force) {
  if (!fs::exists(path)) return;
  if (!fs::is_regular_file(path)) {
    throw ValueError(
        fmt::format("tasks: --write {}: this is no file; name a new file to write", path.string()));
  }
  if (!force) {
    throw ValueError(fmt::format(
        "tasks: --write {}: this file exists already; name another one, or overwrite it by --force",
        path.string()));
  }
}

void run_tasks(const TasksOptions& options) {
  check_options(options);
  if (options.name.empty()) return list_tasks(options.json);
  if (options.write.empty()) return show_task(options);
  task_info(options.name);  // an unknown name is refused before a file is written
  check_output(options.write, options.force);
  const std::unique_ptr<Task> task = configured_task(options);
  replace_file(options.write, [&](const fs::path& temporary) {
    write_dataset(*task, temporary, options.rows, static_cast<std::uint64_t>(options.seed));
  });
  if (options.json) {
    print_json({{"file", options.write},
                {"train_rows", options.rows},
                {"held_out_rows", task->held_out_rows()}});
  } else {
    fmt::print("{}: {} training rows and {} held-out rows of '{}'\n", options.write, options.rows,
               task->held_out_rows(), options.name);
  }
}

}  // namespace

void add_tasks(CLI::App& app, Outcome&) {
  auto options = std::make_shared<TasksOptions>();
  CLI::App* command =
      app.add_subcommand("tasks", "list the tasks, show one, or write one to a data set");
  command->add_option("NAME", options->name, "the task to show");
  command->add_option("--set", options->settings, "KEY=VALUE, such as task.length=5; repeatable")
      ->type_size(1)
      ->allow_extra_args(false);
  command->add_option("--write", options->write, "write the task to this HDF5 file");
  command->add_flag("--force", options->force, "let --write overwrite a file");
  auto* rows = command->add_option("--rows", options->rows, "training rows to write")
                   ->transform(whole_number(1))
                   ->capture_default_str();
  auto* seed = command->add_option("--seed", options->seed, "of the training rows to write")
                   ->transform(whole_number(0))
                   ->capture_default_str();
  command->add_flag("--json", options->json, "print one JSON object");
  command->callback([options, rows, seed] {
    options->has_rows = rows->count() > 0;
    options->has_seed = seed->count() > 0;
    run_tasks(*options);
  });
}

}  // namespace tapehead::cli
