#include "studies/positions.h"

#include <limits>

#include <fmt/format.h>

#include "studies/positions_result.h"
#include "studies/study_cells.h"
#include "studies/study_models.h"
#include "studies/study_registry.h"
#include "train/config/build_task.h"
#include "train/evaluate.h"

namespace tapehead {

namespace {

constexpr int kPositionsVersion = 1;

// A table of learned positions ends with the longest sequence that was trained on.
bool can_read(const PositionsSettings& s, const Config& config, const LengthBucket& bucket) {
  return config.model.position != PositionKind::kLearned || bucket.high <= s.longest_trained;
}

// The accuracy in each bucket; NaN where the model cannot read so long a sequence.
std::vector<double> measure_lengths(const PositionsSettings& settings, const Config& config,
                                    int threads, const StudyRequest& request) {
  const TrainedModel trained = train_for_study(config, threads, request);
  std::vector<double> accuracies;
  for (const LengthBucket& bucket : buckets_of(settings)) {
    if (!can_read(settings, config, bucket)) {
      accuracies.push_back(std::numeric_limits<double>::quiet_NaN());
      continue;
    }
    const auto task = build_task(bucket_config(settings, config, bucket.low, bucket.high));
    const auto e = evaluate_until(request.stop_requested, *trained.model->net, *task, threads);
    if (!e) throw StudyInterrupted();
    accuracies.push_back(e->accuracy.value());
  }
  return accuracies;
}

}  // namespace

Config positions_config(const PositionsSettings& s, const std::string& task, PositionKind position,
                        Index seed) {
  Config c = default_config(task);
  c.task.length = s.longest_trained;
  c.task.min_length = 1;
  c.task.symbols = s.symbols;
  c.model.position = position;
  c.model.d_model = s.width;
  c.model.layers = s.layers;
  c.model.heads = 4;
  c.optimizer.lr = 0.002;
  c.train.steps = s.steps;
  c.train.batch = s.batch;
  c.train.seed = seed;
  c.train.eval_every = 0;
  return completed(c);
}

Config bucket_config(const PositionsSettings& settings, const Config& trained, Index low,
                     Index high) {
  Config config = trained;
  config.task.min_length = low;
  config.task.length = high;
  config.task.held_out = settings.rows;
  check_config(config);
  return config;
}

StudyResult positions_study(const StudyRequest& request, const PositionsSettings& settings) {
  std::vector<StudyCell> cells;
  for (const std::string& task : settings.tasks) {
    for (const PositionKind position : settings.positions) {
      for (const Index seed : first_seeds(settings.seeds)) {
        const Config config = positions_config(settings, task, position, seed);
        cells.push_back({fmt::format("{} position={} seed={}", task, name_of(position), seed),
                         [config, &settings, &request](int threads) {
                           return measure_lengths(settings, config, threads, request);
                         }});
      }
    }
  }
  const LengthNumbers numbers(settings, compute_cells(request, kPositionsVersion, cells));
  StudyResult result = positions_result(numbers);
  result.study = "positions";
  result.question = find_study("positions").question;
  result.quick = request.quick;
  result.seeds = first_seeds(settings.seeds);
  return result;
}

StudyResult run_positions_study(const StudyRequest& request) {
  PositionsSettings settings;
  if (request.quick) {
    settings.tasks = {"copy"};
    settings.positions = {PositionKind::kNone, PositionKind::kLearned, PositionKind::kRope,
                          PositionKind::kT5};
    settings.longest_trained = 6;
    settings.longest_tested = 12;
    settings.width = 32;
    settings.steps = 1600;
  }
  return positions_study(request, settings);
}

}  // namespace tapehead
