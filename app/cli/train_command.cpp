#include <memory>
#include <optional>

#include <fmt/format.h>

#include "app/cli/command.h"
#include "app/cli/stop_signals.h"
#include "app/cli/train_options.h"
#include "figures/attention_maps.h"
#include "report/text_plot.h"
#include "train/run_folder.h"
#include "train/trainer.h"

namespace tapehead::cli {

namespace {

void warn_of_slow_start(const Config& config) {
  if (config.optimizer.warmup <= config.train.steps) return;
  fmt::print(
      stderr,
      "warning: optimizer.warmup = {} is more than train.steps = {}: the learning rate never "
      "reaches optimizer.lr\n",
      config.optimizer.warmup, config.train.steps);
}

Json to_json(const Config& config, const TrainSummary& s, const fs::path& folder,
             const std::optional<fs::path>& report) {
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
               {"run", folder.string()},
               {"report", nullptr}};
  if (report) json["report"] = report->string();
  if (s.evaluation) {
    json["validation_loss"] = s.evaluation->loss;
    json["token_accuracy"] = s.evaluation->token_accuracy;
    if (s.evaluation->accuracy) json["accuracy"] = *s.evaluation->accuracy;
  }
  return json;
}

void print_summary(const TrainSummary& s, const fs::path& folder,
                   const std::optional<fs::path>& report) {
  if (!s.sample.empty()) fmt::print("\n{}\n", s.sample);
  if (s.attention) {
    const HeadChoice head = most_decided_head(*s.attention, 0);
    fmt::print("{}\n", head_text(*s.attention, 0, head, terminal_style()));
  }
  fmt::print("{} steps in {:.1f} s ({:.0f} tokens/s), training loss {:.4f}", s.steps, s.seconds,
             s.tokens_per_s, s.loss);
  if (s.evaluation) {
    const std::string accuracy = accuracy_text(*s.evaluation);
    fmt::print(", validation loss {:.4f}{}{} on held-out data", s.evaluation->loss,
               accuracy.empty() ? "" : "\n", accuracy);
  }
  fmt::print("\ndigest {}\n", s.digest);
  if (s.interrupted) {
    fmt::print("interrupted; go on with: tapehead train --resume --out {}\n", folder.string());
  } else {
    fmt::print("the run is in {}\n", folder.string());
  }
  if (report) fmt::print("the report is in {}\n", report->string());
}

int run_train(const TrainOptions& options) {
  TrainRequest request;
  choose_run(options, request);
  warn_of_slow_start(request.config);
  request.threads = options.threads;
  request.progress = options.json ? stderr : stdout;
  const StopSignals signals;
  request.stop_requested = [&signals] { return signals.received() != 0; };
  const TrainSummary summary = train(request);
  std::optional<fs::path> report;
  if (!options.no_report && !summary.interrupted) report = try_to_report(request.folder);
  if (options.json) {
    print_json(to_json(request.config, summary, request.folder, report));
  } else {
    print_summary(summary, request.folder, report);
  }
  constexpr int kSignalled = 128;  // to which shells add the signal's number
  return summary.interrupted ? kSignalled + signals.received() : kSuccess;
}

}  // namespace

void add_train(CLI::App& app, Outcome& outcome) {
  auto options = std::make_shared<TrainOptions>();
  CLI::App* command = app.add_subcommand("train", "train a model");
  command->footer(
      "Ctrl-C (or SIGTERM) finishes the step, or gives up a validation, writes a checkpoint and "
      "ends the program; a second one ends it at once, and the steps since the last checkpoint "
      "are lost.");
  command->add_option("WHAT", options->what,
                      "a task, a configuration (.toml), a data set (.h5) or a text file");
  command->add_option("--preset", options->preset, "a named recipe, such as nanogpt-cpu");
  command->add_option("--set", options->settings, "KEY=VALUE, such as model.heads=8; repeatable")
      ->type_size(1)
      ->allow_extra_args(false);
  auto* out =
      command->add_option("--out", options->out, "the run's folder (default: a new one in runs/)");
  command->add_flag(
      "--resume", options->resume,
      "go on with the run in --out, with its own configuration; a larger --steps trains "
      "it longer: the schedule of the learning rate then follows the new number");
  auto* seed = command->add_option("--seed", options->seed, "as --set train.seed=N")
                   ->transform(whole_number(0));
  auto* steps = command->add_option("--steps", options->steps, "as --set train.steps=N")
                    ->transform(whole_number(1));
  auto* probe = command->add_option("--probe", options->probe,
                                    "as --set train.probe=LIST: record attention, logits, entropy, "
                                    "gradients in metrics.h5 (`tapehead info --probes`)");
  add_threads_option(*command, options->threads);
  command->add_flag("--json", options->json,
                    "progress on standard error, one JSON object on standard output");
  command->add_flag("--no-report", options->no_report, "write no report.html");
  command->callback([options, out, seed, steps, probe, &outcome] {
    options->has_out = out->count() > 0;
    options->has_seed = seed->count() > 0;
    options->has_steps = steps->count() > 0;
    options->has_probe = probe->count() > 0;
    outcome.exit_code = run_train(*options);
  });
}

}  // namespace tapehead::cli
