#include "studies/heads.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>

#include <fmt/format.h>

#include "base/error.h"
#include "figures/attention_maps.h"
#include "studies/head_ablation.h"
#include "studies/head_measures.h"
#include "studies/heads_report.h"
#include "studies/study_cells.h"
#include "train/config/build_task.h"
#include "train/evaluate.h"
#include "train/held_out_attention.h"
#include "train/run_data.h"
#include "train/run_folder.h"

namespace tapehead {

namespace {

constexpr int kHeadsVersion = 2;                               // of what the cells' numbers mean
constexpr std::size_t kMostMapWeights = std::size_t{1} << 18;  // of one set: 3 MB of JSON or less

struct HeadsSizes {
  Index pattern_rows, repeated_rows, ablation_rows;
};

HeadsSizes heads_sizes(bool quick, Index held_out) {
  const HeadsSizes sizes = quick ? HeadsSizes{16, 8, 64} : HeadsSizes{128, 32, 512};
  return {std::min(sizes.pattern_rows, held_out), sizes.repeated_rows,
          std::min(sizes.ablation_rows, held_out)};
}

void check_attends(const LoadedRun& run) {
  const ModelTraits& traits = traits_of(run.config.model.kind);
  if (traits.attends) return;
  throw ValueError(fmt::format(
      "study heads: the run's model.kind is {}, which has no attention; give it the run of a "
      "decoder, an encoder or an encoder_decoder",
      traits.name));
}

// The run, and what all cells need of it.
struct StudiedRun {
  LoadedRun run;
  std::unique_ptr<Task> task;
  HeldOutAttention attention;  // of row 0

  explicit StudiedRun(const std::filesystem::path& folder) : run(load_run(folder)) {
    check_attends(run);
    task = build_task(run.config);
    check_data(run.config, data_digest(run.config), run.info);
    attention = held_out_attention(*run.model->net, *task, 0, run.info.step);
  }
};

// What row_numbers() gives of each row: its loss, how many tokens are right, and of how many.
constexpr std::size_t kNumbersOfARow = 3;

std::vector<double> row_numbers(const SequenceModel<float>& net, const Task& task, Index rows) {
  std::vector<double> numbers;
  for (const RowEvaluation& row : evaluate_each_row(net, task, rows)) {
    const auto counted = static_cast<double>(row.counted);
    numbers.insert(numbers.end(), {row.loss, std::round(row.token_accuracy * counted), counted});
  }
  return numbers;
}

std::vector<double> ablated_rows(const StudiedRun& studied, const AttentionLayer& layer, Index head,
                                 Index rows) {
  const auto model = copy_of(*studied.run.model, studied.run.config, model_sizes(*studied.task));
  ablate_head(model->store, layer.path, head, layer.heads);
  return row_numbers(*model->net, *studied.task, rows);
}

std::vector<double> measured_numbers(const StudiedRun& studied, Index rows, const FillRow& fill,
                                     const StudyRequest& request) {
  const auto stop = [&request] {
    if (request.stop_requested()) throw StudyInterrupted();
  };
  const Task& task = *studied.task;
  return to_numbers(measure_heads(*studied.run.model->net, task.vocabulary(),
                                  task.source_symbols().size(), rows, fill, stop));
}

// The cells: patterns on held-out rows, patterns on repeated tokens, the model as it is, and then
// the model without each head. Their names hold the digest of the run's weights, so that a folder
// does not mix runs.
std::vector<StudyCell> heads_cells(const StudiedRun& studied, const StudyRequest& request,
                                   const HeadsSizes& sizes) {
  constexpr std::size_t kDigits = 12;
  const std::string run = fmt::format("run={} ", studied.run.info.digest.substr(0, kDigits));
  const Task& task = *studied.task;
  std::vector<StudyCell> cells;
  cells.push_back({run + "held-out rows", [&studied, &request, &task, sizes](int) {
                     return measured_numbers(
                         studied, sizes.pattern_rows,
                         [&task](Index row, Batch& batch) { task.held_out_batch(row, 1, batch); },
                         request);
                   }});
  cells.push_back({run + "repeated tokens", [&studied, &request, &task, sizes](int) {
                     if (!can_repeat(task)) return std::vector<double>();
                     return measured_numbers(
                         studied, sizes.repeated_rows,
                         [&task](Index row, Batch& batch) { fill_repeated(task, row, batch); },
                         request);
                   }});
  cells.push_back({run + "all heads", [&studied, &task, sizes](int) {
                     return row_numbers(*studied.run.model->net, task, sizes.ablation_rows);
                   }});
  for (const AttentionLayer& layer : studied.attention.labels.layers) {
    for (Index head = 0; head < layer.heads; ++head) {
      cells.push_back({fmt::format("{}without {} head {}", run, layer.path, head + 1),
                       [&studied, &layer, head, sizes](int) {
                         return ablated_rows(studied, layer, head, sizes.ablation_rows);
                       }});
    }
  }
  return cells;
}

// By how much the loss of `a` is above that of `b`; rows that ask for nothing are left out.
Estimate loss_difference(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> differences;
  for (std::size_t i = 0; i < a.size(); i += kNumbersOfARow) {
    if (!std::isnan(a[i])) differences.push_back(a[i] - b.at(i));
  }
  return estimate(differences);
}

// By how much the token accuracy of `a` is above that of `b`. Tokens are counted before anything
// is divided, so that as many gained as lost are a difference of zero.
Estimate accuracy_difference(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> differences;
  std::map<double, double> more_right;  // by the tokens that a row asks for
  for (std::size_t i = 0; i < a.size(); i += kNumbersOfARow) {
    const double right = a[i + 1] - b.at(i + 1), counted = a[i + 2];
    if (std::isnan(right)) continue;
    differences.push_back(right / counted);
    more_right[counted] += right;
  }
  Estimate result = estimate(differences);
  if (differences.empty()) return result;
  double sum = 0;
  for (const auto& [counted, right] : more_right) sum += right / counted;
  result.mean = sum / static_cast<double>(differences.size());
  return result;
}

std::string heads_settings(const StudiedRun& studied, const StudyRequest& request,
                           const HeadsSizes& sizes) {
  const ModelConfig& model = studied.run.config.model;
  const std::string_view kind = traits_of(model.kind).name;
  const Task& task = *studied.task;
  return fmt::format(
      "The run {}: {} {} of {} layers and {} heads, task {}, seed {}, after {} steps. Attention "
      "on {} held-out rows and on {}; ablation on {} held-out rows; ± is one standard error over "
      "rows.",
      request.run.string(), kind.starts_with('e') ? "an" : "a", kind, model.layers, model.heads,
      studied.run.config.task.name, studied.run.config.train.seed, studied.run.info.step,
      sizes.pattern_rows,
      can_repeat(task)
          ? fmt::format("{} rows of random tokens that stand twice", sizes.repeated_rows)
          : "no repeated tokens, for which there is no room or no token",
      sizes.ablation_rows);
}

}  // namespace

StudyResult run_heads(const StudyRequest& request) {
  const StudiedRun studied(request.run);
  const HeadsSizes sizes = heads_sizes(request.quick, studied.task->held_out_rows());
  const auto cells = heads_cells(studied, request, sizes);
  const auto numbers = compute_cells(request, kHeadsVersion, cells);

  HeadsData data;
  data.layers = studied.attention.labels.layers;
  data.held_out = measured_heads_from(numbers[0]);
  if (!numbers[1].empty()) data.repeated = measured_heads_from(numbers[1]);
  for (std::size_t i = 3; i < numbers.size(); ++i) {
    data.losses.push_back(loss_difference(numbers[i], numbers[2]));
    data.accuracy_drops.push_back(accuracy_difference(numbers[2], numbers[i]));
  }
  data.seed = studied.run.config.train.seed;
  data.rows = sizes.ablation_rows;

  StudyResult result;
  result.study = "heads";
  result.quick = request.quick;
  result.seeds = {data.seed};
  result.settings = heads_settings(studied, request, sizes);
  report_heads(data, *studied.task, result);
  for (const AttentionMaps& maps : studied.attention.maps) {
    std::string note;
    result.maps.push_back(fitted_maps(maps, kMostMapWeights, note));
    if (!note.empty()) result.settings += " " + note;
  }
  return result;
}

}  // namespace tapehead
