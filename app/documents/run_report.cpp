#include "app/documents/run_report.h"

#include <algorithm>

#include <fmt/format.h>

#include "analysis/probed_maps.h"
#include "base/error.h"
#include "figures/attention_maps.h"
#include "train/config/build_task.h"
#include "train/held_out_attention.h"
#include "train/make_sample.h"
#include "train/run_data.h"
#include "train/run_folder.h"

namespace tapehead {

namespace {

constexpr Index kSamples = 6;
// Of one pass with all its attention weights: a quarter of a gigabyte.
constexpr double kMostTracedWeights = 1 << 26;

double traced_weights(const ModelConfig& model, const Task& task) {
  const auto n = static_cast<double>(std::max(task.length(), task.source_length()));
  return static_cast<double>(model.layers) * static_cast<double>(model.heads) * n * n;
}

// Whether the metrics hold the weights of all attention layers, and what these are called. Runs of
// earlier versions have no names.
bool holds_all_maps(const Metrics& metrics) {
  const std::vector<AttentionLayer>& layers = metrics.attention_labels().layers;
  return !layers.empty() && std::ranges::all_of(layers, [&](const AttentionLayer& layer) {
    return std::ranges::find(metrics.probes(), weights_name(layer.kind), &ProbeSample::name) !=
           metrics.probes().end();
  });
}

void look_at_model(const LoadedRun& run, RunReport& report) {
  const auto task = build_task(run.config);
  check_data(run.config, data_digest(run.config), run.info);
  report.real = task->target_width() > 0;
  const Index rows = std::min(kSamples, task->held_out_rows());
  for (Index row = 0; row < rows; ++row) {
    report.samples.push_back(make_sample(*run.model->net, *task, row));
  }
  if (holds_all_maps(report.metrics)) return;
  if (traced_weights(run.config.model, *task) > kMostTracedWeights) {
    report.notes.push_back("the model has too many attention weights to show those of the end");
    return;
  }
  HeldOutAttention end = held_out_attention(*run.model->net, *task, 0, run.info.step);
  report.attention = std::move(end.labels);
  report.maps = std::move(end.maps);
}

// Calls `read`; what it cannot find or use becomes a warning.
template <typename Read>
void read_or_warn(const char* what, RunReport& report, const Read& read) {
  try {
    read();
  } catch (const IoError& e) {
    report.warnings.push_back(fmt::format("{}: {}", what, e.what()));
  } catch (const ValueError& e) {
    report.warnings.push_back(fmt::format("{}: {}", what, e.what()));
  }
}

}  // namespace

std::string shown_name(const std::filesystem::path& folder) {
  const auto absolute = std::filesystem::absolute(folder).lexically_normal();
  const auto name =
      absolute.has_filename() ? absolute.filename() : absolute.parent_path().filename();
  return name.empty() ? absolute.string() : name.string();
}

RunReport read_run_report(const std::filesystem::path& run) {
  const LoadedRun loaded = load_run(run);
  RunReport report;
  report.name = shown_name(run);
  report.config = loaded.config;
  report.step = loaded.info.step;
  report.parameters = loaded.model->store.parameter_count();
  report.digest = loaded.info.digest;
  read_or_warn("no losses and no curves, as metrics.h5 could not be read", report,
               [&] { report.metrics = Metrics::load(metrics_path(run)); });
  report.attention = report.metrics.attention_labels();
  read_or_warn("no samples", report, [&] { look_at_model(loaded, report); });
  auto probed = probed_maps(report.metrics.probes(), report.attention);
  for (AttentionMaps& maps : report.maps) {  // what was not probed is shown of the end
    if (std::ranges::find(probed, maps.name, &AttentionMaps::name) == probed.end()) {
      probed.push_back(std::move(maps));
    }
  }
  report.maps = std::move(probed);
  return report;
}

}  // namespace tapehead
