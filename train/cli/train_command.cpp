#include <algorithm>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <memory>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "autograd/error.h"
#include "data/task_registry.h"
#include "train/checkpoint_folder.h"
#include "train/cli/command.h"
#include "train/run_config.h"
#include "train/run_folder.h"
#include "train/trainer.h"

namespace tapehead::cli {

namespace {

struct TrainOptions {
  std::string what;  // a task, a configuration, a text, or empty (with --resume)
  std::string preset, out;
  std::vector<std::string> settings;
  Index seed = 0, steps = 0;
  bool has_seed = false, has_steps = false;
  bool resume = false, json = false;
  int threads = 1;
};

// The first signal that asked to stop; a signal handler can reach nothing but a global of this
// type.
volatile std::sig_atomic_t stop_signal = 0;

void on_signal(int signal) {
  stop_signal = signal;
  std::signal(SIGINT, SIG_DFL);  // a second one ends the program at once
  std::signal(SIGTERM, SIG_DFL);
}

bool is_task(const std::string& name) {
  const auto names = task_names();
  return std::find(names.begin(), names.end(), name) != names.end();
}

// What the first argument is: a task's name, a configuration, a data set, or a text.
void add_what(const std::string& what, ConfigSources& sources) {
  if (is_task(what)) {
    sources.settings.push_back({fmt::format("task.name=\"{}\"", what), what});
    return;
  }
  const fs::path path(what);
  if (!fs::exists(path)) {
    throw ValueError(fmt::format("train: '{}' is neither a task nor a file; the tasks are: {}",
                                 what, fmt::join(task_names(), ", ")));
  }
  if (path.extension() == ".toml") {
    sources.file = what;
    return;
  }
  const bool dataset = path.extension() == ".h5" || path.extension() == ".hdf5";
  sources.settings.push_back({fmt::format("task.name={}", dataset ? "dataset" : "text"), what});
  sources.settings.push_back(
      {fmt::format("task.path='''{}'''", fs::absolute(path).lexically_normal().string()), what});
}

Config configuration(const TrainOptions& options) {
  ConfigSources sources;
  sources.preset = options.preset;
  if (!options.what.empty()) add_what(options.what, sources);
  for (const std::string& s : options.settings) sources.settings.push_back({s});
  if (options.has_seed) {
    sources.settings.push_back(
        {fmt::format("train.seed={}", options.seed), fmt::format("--seed {}", options.seed)});
  }
  if (options.has_steps) {
    sources.settings.push_back(
        {fmt::format("train.steps={}", options.steps), fmt::format("--steps {}", options.steps)});
  }
  return resolve_config(sources);
}

// That of the run in --out, where nothing else says what to train.
Config own_configuration(const TrainOptions& options, bool exists) {
  if (!options.resume) {
    throw ValueError(
        fmt::format("train: what? Name a task, a configuration file or a text file; "
                    "the tasks are: {}",
                    fmt::join(task_names(), ", ")));
  }
  if (!exists) {
    throw ValueError(fmt::format("train: {} holds no run to go on with", options.out));
  }
  if (options.has_seed || !options.settings.empty()) {
    throw ValueError(
        "train: a run goes on with its own configuration; leave out --set and --seed (only --steps "
        "may be given, to train longer)");
  }
  return resume_config(options.out,
                       options.has_steps ? std::optional(options.steps) : std::nullopt);
}

// Fills in the request's folder and configuration; true if the run exists already.
void choose_run(const TrainOptions& options, TrainRequest& request) {
  if (options.resume && options.out.empty()) {
    throw ValueError("train: --resume needs the run's folder: --out DIR");
  }
  const bool exists = !options.out.empty() && (fs::exists(config_path(options.out)) ||
                                               !list_checkpoints(options.out).empty());
  request.resume = options.resume && exists;
  if (options.what.empty() && options.preset.empty()) {
    request.config = own_configuration(options, exists);
  } else {
    request.config = configuration(options);
    if (request.resume) {
      const Config own = resume_config(options.out, request.config.train.steps);
      check_goes_on(options.out, own, request.config);
    }
  }
  const std::string name =
      request.config.task.name == "text" || request.config.task.name == "dataset"
          ? fs::path(request.config.task.path).stem().string()
          : request.config.task.name;
  request.folder = options.out.empty() ? free_run_folder(name) : fs::path(options.out);
}

Json to_json(const Config& config, const TrainSummary& s, const fs::path& folder) {
  Json json = {{"task", config.task.name},
               {"steps", s.steps},
               {"loss", s.loss},
               {"validation_loss", nullptr},
               {"token_accuracy", nullptr},
               {"accuracy", nullptr},
               {"parameters", s.parameters},
               {"seconds", s.seconds},
               {"tokens_per_s", s.tokens_per_s},
               {"digest", s.digest},
               {"interrupted", s.interrupted},
               {"run", folder.string()}};
  if (s.evaluation) {
    json["validation_loss"] = s.evaluation->loss;
    json["token_accuracy"] = s.evaluation->token_accuracy;
    if (s.evaluation->accuracy) json["accuracy"] = *s.evaluation->accuracy;
  }
  return json;
}

void print_summary(const TrainSummary& s, const fs::path& folder) {
  if (!s.sample.empty()) fmt::print("\n{}\n{}\n", s.sample, s.attention_map);
  fmt::print("{} steps in {:.1f} s ({:.0f} tokens/s), training loss {:.4f}", s.steps, s.seconds,
             s.tokens_per_s, s.loss);
  if (s.evaluation) {
    fmt::print(", validation loss {:.4f}\ntoken accuracy {:.2f} %", s.evaluation->loss,
               100 * s.evaluation->token_accuracy);
    if (s.evaluation->accuracy) {
      fmt::print(", whole sequences {:.2f} %", 100 * *s.evaluation->accuracy);
    }
    fmt::print(" on held-out data");
  }
  fmt::print("\ndigest {}\n", s.digest);
  if (s.interrupted) {
    fmt::print("interrupted; go on with: tapehead train --resume --out {}\n", folder.string());
  } else {
    fmt::print("the run is in {}\n", folder.string());
  }
}

int run_train(const TrainOptions& options) {
  TrainRequest request;
  choose_run(options, request);
  request.threads = options.threads;
  request.progress = options.json ? stderr : stdout;
  request.stop_requested = [] { return stop_signal != 0; };
  fmt::print(request.progress, "{}\n", to_toml(request.config));
  std::fflush(request.progress);
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
  const TrainSummary summary = train(request);
  if (options.json) {
    print_json(to_json(request.config, summary, request.folder));
  } else {
    print_summary(summary, request.folder);
  }
  constexpr int kSignalled = 128;  // to which shells add the signal's number
  return summary.interrupted ? kSignalled + stop_signal : kSuccess;
}

}  // namespace

void add_train(CLI::App& app, Outcome& outcome) {
  auto options = std::make_shared<TrainOptions>();
  CLI::App* command = app.add_subcommand("train", "train a model");
  command->footer(
      "Ctrl-C (or SIGTERM) finishes the step, or gives up a validation, writes a checkpoint and "
      "ends "
      "the program; a second one ends it at once, and the steps since the last checkpoint are "
      "lost.");
  command->add_option("WHAT", options->what,
                      "a task, a configuration (.toml), a data set (.h5) or a text file");
  command->add_option("--preset", options->preset, "a named recipe, such as nanogpt-cpu");
  command->add_option("--set", options->settings, "KEY=VALUE, such as model.heads=8; repeatable")
      ->type_size(1)
      ->allow_extra_args(false);
  command->add_option("--out", options->out, "the run's folder (default: a new one in runs/)");
  command->add_flag(
      "--resume", options->resume,
      "go on with the run in --out, with its own configuration; a larger --steps trains "
      "it longer: the schedule of the learning rate then follows the new number");
  auto* seed = command->add_option("--seed", options->seed, "as --set train.seed=N");
  auto* steps = command->add_option("--steps", options->steps, "as --set train.steps=N");
  add_threads_option(*command, options->threads);
  command->add_flag("--json", options->json,
                    "progress on standard error, one JSON object on standard output");
  command->callback([options, seed, steps, &outcome] {
    options->has_seed = seed->count() > 0;
    options->has_steps = steps->count() > 0;
    outcome.exit_code = run_train(*options);
  });
}

}  // namespace tapehead::cli
