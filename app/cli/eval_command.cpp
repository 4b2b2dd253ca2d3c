#include <memory>

#include <fmt/format.h>

#include "app/cli/command.h"
#include "train/config/build_task.h"
#include "train/evaluate.h"
#include "train/run_data.h"
#include "train/run_folder.h"

namespace tapehead::cli {

namespace {

struct EvalOptions {
  std::string run;
  Index length = 0;
  int threads = 1;
  bool positions = false;
  bool json = false;
};

Json positions_json(const Evaluation& e) {
  Json list = Json::array();
  for (const PositionEvaluation& p : e.positions) {
    list.push_back({{"position", p.position},
                    {"counted", p.counted},
                    {"loss", p.loss},
                    {"token_accuracy", p.token_accuracy}});
  }
  return list;
}

void print_positions(const Evaluation& e) {
  fmt::print("position   asked      loss{}\n", e.real ? "" : "   right");
  for (const PositionEvaluation& p : e.positions) {
    const std::string right = e.real ? "" : fmt::format("{:6.2f} %", 100 * p.token_accuracy);
    fmt::print("{:8d}{:8d}{:10.4f}{}\n", p.position, p.counted, p.loss, right);
  }
}

void eval(const EvalOptions& options) {
  const LoadedRun run = load_run(options.run);
  Config config = run.config;
  if (options.length > 0) config.task.length = options.length;
  const std::unique_ptr<Task> task = build_task(config);
  check_data(config, data_digest(config), run.info);
  const Evaluation e = evaluate(*run.model->net, *task, options.threads);
  if (options.json) {
    Json json = {{"task", config.task.name},           {"steps", run.info.step},
                 {"length", task->length()},           {"validation_loss", e.loss},
                 {"token_accuracy", e.token_accuracy}, {"accuracy", nullptr},
                 {"digest", run.info.digest}};
    if (e.accuracy) json["accuracy"] = *e.accuracy;
    if (options.positions) json["positions"] = positions_json(e);
    print_json(json);
    return;
  }
  fmt::print("{} after {} steps, on {} held-out rows of {} time steps\n", config.task.name,
             run.info.step, task->held_out_rows(), task->length());
  const std::string accuracy = accuracy_text(e);
  fmt::print("validation loss {:.4f}{}{}\n", e.loss, accuracy.empty() ? "" : ", ", accuracy);
  if (options.positions) print_positions(e);
}

}  // namespace

void add_eval(CLI::App& app, Outcome&) {
  auto options = std::make_shared<EvalOptions>();
  CLI::App* command = app.add_subcommand("eval", "evaluate a run on its held-out data");
  command->add_option("RUN", options->run, "the run's folder")->required();
  command->add_option("--length", options->length, "the task's length, if not the trained one")
      ->transform(whole_number(1));
  add_threads_option(*command, options->threads);
  command->add_flag("--positions", options->positions,
                    "also the loss and accuracy at each position of the rows");
  command->add_flag("--json", options->json, "print one JSON object");
  command->callback([options] { eval(*options); });
}

}  // namespace tapehead::cli
