#include <memory>

#include <fmt/format.h>

#include "analysis/probe_infos.h"
#include "app/cli/command.h"
#include "base/error.h"
#include "train/config/words.h"
#include "train/digest.h"
#include "train/run_folder.h"

namespace tapehead::cli {

namespace {

struct InfoOptions {
  std::string run;
  bool json = false, probes = false;
};

void list_probes(bool json) {
  Json list = Json::array();
  for (const ProbeInfo& probe : probe_infos()) {
    if (!json) fmt::print("{}\n", probe.name);
    Json samples = Json::array();
    for (const ProbeInfo::Sample& s : probe.samples) {
      samples.push_back({{"name", s.name}, {"shape", s.shape}, {"meaning", s.meaning}});
      if (!json) fmt::print("  {:<20} ({}): {}\n", s.name, s.shape, s.meaning);
    }
    list.push_back({{"name", probe.name}, {"samples", samples}});
  }
  if (json) print_json({{"probes", list}});
}

void info(const InfoOptions& options) {
  if (options.probes && !options.run.empty()) {
    throw ValueError("info: --probes lists what any run can record; leave out " + options.run);
  }
  if (options.probes) return list_probes(options.json);
  if (options.run.empty()) throw CLI::RequiredError("RUN (a run's folder) or --probes");
  const LoadedRun run = load_run(options.run);
  const std::string digest = parameter_digest(run.model->store);
  if (options.json) {
    Json parameters = Json::array();
    for (const auto& p : run.model->store.parameters()) {
      parameters.push_back({{"name", p.name()}, {"shape", p.shape().sizes()}});
    }
    print_json({{"run", options.run},
                {"task", run.config.task.name},
                {"checkpoint", run.checkpoint.string()},
                {"steps", run.info.step},
                {"seed", run.info.seed},
                {"parameters", run.model->store.parameter_count()},
                {"parameter_list", parameters},
                {"config", run.info.config},
                {"digest", digest}});
    return;
  }
  fmt::print("{}\n", to_toml(run.config));
  fmt::print("{:<44} {}\n", "parameter", "shape");
  for (const auto& p : run.model->store.parameters()) {
    fmt::print("{:<44} {}\n", p.name(), p.shape().str());
  }
  fmt::print("{} parameters after {} of {} steps, from {}\ndigest {}\n",
             run.model->store.parameter_count(), run.info.step, run.config.train.steps,
             run.checkpoint.string(), digest);
}

}  // namespace

void add_info(CLI::App& app, Outcome&) {
  auto options = std::make_shared<InfoOptions>();
  CLI::App* command =
      app.add_subcommand("info", "show a run's configuration, parameters and digest");
  command->add_option("RUN", options->run, "the run's folder");
  command->add_flag("--probes", options->probes,
                    "list what `train --probe` can record in metrics.h5");
  command->add_flag("--json", options->json, "print one JSON object");
  command->callback([options] { info(*options); });
}

}  // namespace tapehead::cli
