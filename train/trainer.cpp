#include "train/trainer.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "base/denormals.h"
#include "base/error.h"
#include "data/held_out.h"
#include "figures/attention_maps.h"
#include "optim/clip.h"
#include "train/batch_loss.h"
#include "train/build_optimizer.h"
#include "train/checkpoint_folder.h"
#include "train/config/build_task.h"
#include "train/digest.h"
#include "train/held_out_attention.h"
#include "train/make_sample.h"
#include "train/memory_estimate.h"
#include "train/metrics.h"
#include "train/probe.h"
#include "train/progress.h"
#include "train/run_config.h"
#include "train/run_data.h"
#include "train/run_folder.h"
#include "train/sharded_pass.h"

namespace tapehead {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// "1 step", "2 steps".
std::string counted(Index number, std::string_view noun) {
  return fmt::format("{} {}{}", number, noun, number == 1 ? "" : "s");
}

// One run in progress.
class Trainer {
 public:
  explicit Trainer(const TrainRequest& request)
      : request_(request),
        config_(request.config),
        task_(build_task(config_)),
        data_digest_(data_digest(config_)),
        model_(model_that_fits()),
        optimizer_(build_optimizer<float>(config_.optimizer, model_->store)),
        schedule_(build_schedule(config_)),
        rows_(config_.train.batch * config_.train.accumulate),
        pass_(*model_->net, model_->store, shards(), request.threads),
        probe_(config_, *task_, *model_, request.threads) {
    pass_.set_label_smoothing(config_.train.label_smoothing);
    pass_.set_check_finite(config_.train.check_finite);
  }

  TrainSummary run() {
    const FlushDenormals flush;
    summary_.loss = std::numeric_limits<double>::quiet_NaN();
    if (writes_files()) prepare_folder();
    metrics_.reserve(config_.train.steps, config_.train.steps);
    Progress progress(request_.progress, config_.train.steps, step_, rows_ * task_->length());
    progress.message(to_toml(config_));
    progress.message(header());
    if (step_ == 0 && probe_.due(0)) record(nullptr);
    validate_if_due(progress);  // the one that was given up when the run was interrupted
    record_target();
    while (step_ < config_.train.steps && !summary_.reached_target && !summary_.interrupted) {
      train_one_step();
      progress.step(step_, summary_.loss, schedule_.rate(step_ - 1));
      after_step(progress);
    }
    save();
    finish();
    progress.message(fmt::format("done after {} s of training", std::lround(summary_.seconds)));
    return std::move(summary_);
  }

  // After run().
  Metrics take_metrics() { return std::move(metrics_); }
  std::unique_ptr<Task> take_task() { return std::move(task_); }
  std::unique_ptr<Model> take_model() { return std::move(model_); }

 private:
  std::unique_ptr<Model> model_that_fits() const {
    const ModelSizes sizes = model_sizes(*task_);
    check_memory(config_, sizes, physical_memory());
    return build_model(config_, sizes);
  }

  Index shards() const {
    const TrainConfig& t = config_.train;
    return t.shards > 0 ? std::min(t.shards, t.batch) : default_shards(t.batch, task_->length());
  }

  std::string header() const {
    return fmt::format("{}: {} parameters, vocabulary {}, {}; {} of {} in {} on {}; {} held out{}",
                       request_.folder.string(), model_->store.parameter_count(),
                       task_->vocabulary(), counted(task_->length(), "time step"),
                       counted(config_.train.steps, "step"), counted(rows_, "row"),
                       counted(pass_.shard_count(), "shard"), counted(request_.threads, "thread"),
                       counted(task_->held_out_rows(), "row"),
                       held_out_note(task_->held_out_rows(), config_.task.held_out));
  }

  bool writes_files() const { return !request_.folder.empty(); }

  void prepare_folder() {
    if (request_.resume) {
      lock_.emplace(request_.folder);
      if (!list_checkpoints(request_.folder).empty()) load();
      keep_config();
    } else {
      new_run_.emplace(request_.folder, config_);
    }
  }

  void warn(const std::string& text) const {
    if (request_.progress != nullptr) fmt::print(request_.progress, "warning: {}\n", text);
  }

  void load() {
    const auto warning = [this](const std::string& text) { warn(text); };
    const auto newest = load_newest_checkpoint<float>(request_.folder, warning);
    const CheckpointInfo& info = newest.checkpoint.info;
    const Config stored = stored_config(info, newest.path, request_.folder);
    check_not_edited(request_.folder, stored, false);
    check_goes_on(request_.folder, stored, config_);
    check_data(config_, data_digest_, info);
    restore(newest.checkpoint, model_->store, optimizer_.get(), newest.path.string());
    step_ = info.step;
    metrics_ = load_metrics(metrics_path(request_.folder), info.training_rows, info.validation_rows,
                            step_, warning);
    if (!metrics_.training().empty()) summary_.loss = metrics_.training().back().loss;
    if (validated()) {
      const ValidationRow& last = metrics_.validation().back();
      check_target(task_->counts_sequences() ? last.accuracy : last.token_accuracy);
    }
    if (!(stored == config_)) save();  // more steps: from now on the checkpoint says so
  }

  // The folder's config.toml after load(), which has checked what is in it.
  void keep_config() const {
    const bool missing = !fs::exists(config_path(request_.folder));
    if (missing) {
      warn(fmt::format("{}: was missing; written again from the checkpoint",
                       config_path(request_.folder).string()));
    }
    if (missing || !(read_run_config(request_.folder) == config_)) {
      write_run_config(request_.folder, config_);
    }
  }

  void train_one_step() {
    const auto start = Clock::now();
    const auto seed = static_cast<std::uint64_t>(config_.train.seed);
    task_->train_batch(seed, step_, rows_, batch_);
    const auto counted = static_cast<double>(counted_targets(batch_, 0, rows_));
    pass_.begin(seed, static_cast<std::uint64_t>(step_));
    double loss = 0;
    for (Index first = 0; first < rows_; first += config_.train.batch) {
      loss += pass_.add(batch_, first, config_.train.batch, counted);
    }
    pass_.finish();
    const double token_accuracy = batch_.target_width > 0
                                      ? std::numeric_limits<double>::quiet_NaN()
                                      : static_cast<double>(pass_.right_tokens()) / counted;
    const Clipping clipping = clip_by_global_norm(model_->store, pass_.gradients(),
                                                  config_.optimizer.clip, request_.threads);
    const double lr = schedule_.rate(step_);
    optimizer_->step(model_->store.values(), pass_.gradients(), lr, clipping.factor,
                     request_.threads);
    ++step_;
    const double seconds = seconds_since(start);
    summary_.loss = loss;
    summary_.seconds += seconds;
    ++steps_here_;
    metrics_.append(
        TrainingRow{.step = step_,
                    .loss = loss,
                    .token_accuracy = token_accuracy,
                    .lr = lr,
                    .grad_norm = clipping.norm,
                    .tokens_per_s = static_cast<double>(rows_ * task_->length()) / seconds});
  }

  void after_step(Progress& progress) {
    const TrainConfig& t = config_.train;
    if (probe_.due(step_)) record(&pass_.gradients());
    validate_if_due(progress);
    record_target();
    if (t.checkpoint_every > 0 && step_ % t.checkpoint_every == 0) save();
    if (request_.stop_requested()) summary_.interrupted = true;
  }

  // True if the validation after this step has been made.
  bool validated() const {
    return !metrics_.validation().empty() && metrics_.validation().back().step == step_;
  }

  void validate_if_due(Progress& progress) {
    const TrainConfig& t = config_.train;
    if (t.eval_every == 0 || step_ == 0 || step_ % t.eval_every != 0 || validated()) return;
    const auto e = evaluate_until(request_.stop_requested, *model_->net, *task_, request_.threads,
                                  t.eval_rows);
    summary_.interrupted = !e.has_value();
    if (!e) return;
    metrics_.append(validation_row(*e));
    progress.evaluation(step_, *e);
    check_target(e->accuracy.value_or(e->token_accuracy));
  }

  void check_target(double accuracy) {
    const double target = config_.train.target_accuracy;
    summary_.reached_target = target > 0 && accuracy >= target;
  }

  void record(const Tensor<float>* step_gradients) {
    ProbeRecord record = probe_.record(step_, step_gradients);
    metrics_.set_attention_labels(std::move(record.labels));
    for (ProbeSample& sample : record.samples) metrics_.append(std::move(sample));
  }

  // The state in which the target was reached, which is the last one. Without the gradients of its
  // update: if the validation was made again after an interruption, they are gone.
  void record_target() {
    if (!summary_.reached_target || !probe_.any()) return;
    const bool recorded = !metrics_.probes().empty() && metrics_.probes().back().step == step_;
    if (!recorded) record(nullptr);
  }

  // The metrics first: a checkpoint must not count rows that the file does not hold.
  void save() {
    if (!writes_files() || saved_at_ == step_) return;
    metrics_.save(metrics_path(request_.folder));
    CheckpointInfo info;
    info.step = step_;
    info.seed = config_.train.seed;
    info.training_rows = static_cast<Index>(metrics_.training().size());
    info.validation_rows = static_cast<Index>(metrics_.validation().size());
    info.config = to_toml(config_);
    info.data_digest = data_digest_;
    if (task_->symbols().style() == Vocabulary::Style::kText) {
      info.vocabulary = task_->symbols().symbols();
    }
    save_newest_checkpoint(request_.folder, capture(info, model_->store, optimizer_.get()));
    saved_at_ = step_;
    if (new_run_) new_run_->keep();
  }

  // The last evaluation, for whoever reads the metrics. The checkpoint does not count it: a run
  // that goes on has the metrics of one that never stopped.
  void keep_last_evaluation() {
    if (validated()) return;
    metrics_.append(validation_row(*summary_.evaluation));
    if (writes_files()) metrics_.save(metrics_path(request_.folder));
  }

  ValidationRow validation_row(const Evaluation& e) const {
    return {.step = step_,
            .validation_loss = e.loss,
            .token_accuracy = e.token_accuracy,
            .accuracy = e.accuracy.value_or(std::numeric_limits<double>::quiet_NaN())};
  }

  void finish() {
    summary_.steps = step_;
    summary_.parameters = model_->store.parameter_count();
    summary_.tokens_per_s =
        summary_.seconds > 0
            ? static_cast<double>(steps_here_ * rows_ * task_->length()) / summary_.seconds
            : 0;
    summary_.digest = parameter_digest(model_->store);
    if (!summary_.interrupted) {
      summary_.evaluation =
          evaluate_until(request_.stop_requested, *model_->net, *task_, request_.threads);
      summary_.interrupted = !summary_.evaluation.has_value();
    }
    if (summary_.interrupted) return;  // whoever stops a run does not want to wait
    keep_last_evaluation();
    summary_.sample = sample_text(make_sample(*model_->net, *task_));
    auto maps = held_out_attention(*model_->net, *task_, 0, step_).maps;
    const auto cross = std::ranges::find(maps, "attention/cross", &AttentionMaps::name);
    if (!maps.empty()) summary_.attention = cross == maps.end() ? maps.front() : *cross;
  }

  const TrainRequest& request_;
  const Config& config_;
  std::optional<NewRun> new_run_;  // or, when a run goes on, ...
  std::optional<RunLock> lock_;
  std::unique_ptr<Task> task_;
  std::string data_digest_;
  std::unique_ptr<Model> model_;
  std::unique_ptr<Optimizer<float>> optimizer_;
  Schedule schedule_;
  Index rows_;  // of one optimizer step
  ShardedPass pass_;
  Probe probe_;
  Batch batch_;
  Metrics metrics_;
  TrainSummary summary_;
  Index step_ = 0;        // updates made
  Index steps_here_ = 0;  // of these, by this call
  Index saved_at_ = -1;
};

}  // namespace

TrainSummary train(const TrainRequest& request) { return Trainer(request).run(); }

TrainedModel train_in_memory(const Config& config, int threads,
                             const std::function<bool()>& stop_requested) {
  TrainRequest request;
  request.config = config;
  request.threads = threads;
  request.stop_requested = stop_requested;
  Trainer trainer(request);
  TrainedModel result;
  result.summary = trainer.run();
  result.metrics = trainer.take_metrics();
  result.task = trainer.take_task();
  result.model = trainer.take_model();
  return result;
}

}  // namespace tapehead
