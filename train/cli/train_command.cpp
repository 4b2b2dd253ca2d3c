#include <algorithm>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "autograd/error.h"
#include "data/task_registry.h"
#include "train/cli/command.h"
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

// Set by the first Ctrl-C; a signal handler can reach nothing but a global of this type.
volatile std::sig_atomic_t interrupted = 0;

void on_interrupt(int) {
  interrupted = 1;
  std::signal(SIGINT, SIG_DFL);  // a second Ctrl-C ends the program at once
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

// The first line in which two configurations differ, for a message.
std::string first_difference(const Config& ours, const Config& theirs) {
  const std::string a = to_toml(ours), b = to_toml(theirs);
  const auto line = [](const std::string& text, std::size_t at) {
    const std::size_t begin = text.rfind('\n', at) + 1;
    return text.substr(begin, text.find('\n', at) - begin);
  };
  const auto at = static_cast<std::size_t>(
      std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
  return fmt::format("'{}' instead of '{}'", line(a, std::min(at, a.size() - 1)),
                     line(b, std::min(at, b.size() - 1)));
}

// Fills in the request's folder and configuration; true if the run exists already.
void choose_run(const TrainOptions& options, TrainRequest& request) {
  if (options.resume && options.out.empty()) {
    throw ValueError("train: --resume needs the run's folder: --out DIR");
  }
  const bool exists = !options.out.empty() && fs::exists(config_path(options.out));
  request.resume = options.resume && exists;
  if (options.what.empty() && options.preset.empty()) {
    if (options.resume && !exists) {
      throw ValueError(fmt::format("train: {} holds no run to go on with", options.out));
    }
    if (!request.resume) {
      throw ValueError(
          fmt::format("train: what? Name a task, a configuration file or a text file; "
                      "the tasks are: {}",
                      fmt::join(task_names(), ", ")));
    }
    request.config = read_run_config(options.out);
    if (options.has_seed || options.has_steps || !options.settings.empty()) {
      throw ValueError(
          "train: a run goes on with its own configuration; leave out --set, --seed "
          "and --steps");
    }
  } else {
    request.config = configuration(options);
    if (request.resume && !(request.config == read_run_config(options.out))) {
      throw ValueError(fmt::format(
          "train: {} was begun with another configuration: {}; resume it by 'train --resume --out "
          "{}', or choose another folder",
          options.out, first_difference(request.config, read_run_config(options.out)),
          options.out));
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
               {"validation_loss", s.evaluation.loss},
               {"token_accuracy", s.evaluation.token_accuracy},
               {"accuracy", nullptr},
               {"parameters", s.parameters},
               {"seconds", s.seconds},
               {"tokens_per_s", s.tokens_per_s},
               {"digest", s.digest},
               {"interrupted", s.interrupted},
               {"run", folder.string()}};
  if (s.evaluation.accuracy) json["accuracy"] = *s.evaluation.accuracy;
  return json;
}

void print_summary(const TrainSummary& s, const fs::path& folder) {
  fmt::print("\n{}\n{}\n", s.sample, s.attention_map);
  fmt::print(
      "{} steps in {:.1f} s ({:.0f} tokens/s), training loss {:.4f}, validation loss {:.4f}\n",
      s.steps, s.seconds, s.tokens_per_s, s.loss, s.evaluation.loss);
  fmt::print("token accuracy {:.2f} %", 100 * s.evaluation.token_accuracy);
  if (s.evaluation.accuracy) {
    fmt::print(", whole sequences {:.2f} %", 100 * *s.evaluation.accuracy);
  }
  fmt::print(" on held-out data\ndigest {}\n", s.digest);
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
  request.stop_requested = [] { return interrupted != 0; };
  fmt::print(request.progress, "{}\n", to_toml(request.config));
  std::fflush(request.progress);
  std::signal(SIGINT, on_interrupt);
  const TrainSummary summary = train(request);
  if (options.json) {
    print_json(to_json(request.config, summary, request.folder));
  } else {
    print_summary(summary, request.folder);
  }
  constexpr int kInterrupted = 130;  // 128 + SIGINT, as shells have it
  return summary.interrupted ? kInterrupted : kSuccess;
}

}  // namespace

void add_train(CLI::App& app, Outcome& outcome) {
  auto options = std::make_shared<TrainOptions>();
  CLI::App* command = app.add_subcommand("train", "train a model");
  command->add_option("WHAT", options->what,
                      "a task, a configuration (.toml), a data set (.h5) or a text file");
  command->add_option("--preset", options->preset, "a named recipe, such as nanogpt-cpu");
  command->add_option("--set", options->settings, "KEY=VALUE, such as model.heads=8; repeatable")
      ->type_size(1)
      ->allow_extra_args(false);
  command->add_option("--out", options->out, "the run's folder (default: a new one in runs/)");
  command->add_flag("--resume", options->resume, "go on with the run in --out");
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
