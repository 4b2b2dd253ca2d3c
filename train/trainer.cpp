#include "train/trainer.h"

#include <chrono>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "autograd/error.h"
#include "autograd/kernels/denormals.h"
#include "optim/clip.h"
#include "train/build_optimizer.h"
#include "train/build_task.h"
#include "train/checkpoint_folder.h"
#include "train/digest.h"
#include "train/metrics.h"
#include "train/progress.h"
#include "train/run_folder.h"
#include "train/sample.h"
#include "train/sharded_pass.h"

namespace tapehead {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// One run in progress.
class Trainer {
 public:
  explicit Trainer(const TrainRequest& request)
      : request_(request),
        config_(request.config),
        task_(build_task(config_)),
        model_(build_model(config_, task_->vocabulary(), task_->length())),
        optimizer_(build_optimizer<float>(config_.optimizer, model_->store)),
        schedule_(build_schedule(config_)),
        rows_(config_.train.batch * config_.train.accumulate),
        pass_(*model_->net, model_->store, shards(), request.threads) {
    pass_.set_label_smoothing(config_.train.label_smoothing);
    pass_.set_check_finite(config_.train.check_finite);
  }

  TrainSummary run() {
    const kernels::FlushDenormals flush;
    prepare_folder();
    Progress progress(request_.progress, config_.train.steps, step_, rows_ * task_->length());
    progress.message(header());
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

 private:
  Index shards() const {
    const TrainConfig& t = config_.train;
    return t.shards > 0 ? std::min(t.shards, t.batch) : default_shards(t.batch, task_->length());
  }

  std::string header() const {
    return fmt::format(
        "{}: {} parameters, vocabulary {}, {} time steps; {} steps of {} rows in {} "
        "shards on {} threads",
        request_.folder.string(), model_->store.parameter_count(), task_->vocabulary(),
        task_->length(), config_.train.steps, rows_, pass_.shard_count(), request_.threads);
  }

  void prepare_folder() {
    summary_.loss = std::numeric_limits<double>::quiet_NaN();
    if (!request_.resume) {
      create_run(request_.folder, config_);
    } else if (!list_checkpoints(request_.folder).empty()) {
      load();
    }
    metrics_.reserve(config_.train.steps, config_.train.steps);
  }

  void load() {
    const auto warn = [this](const std::string& text) {
      if (request_.progress != nullptr) fmt::print(request_.progress, "warning: {}\n", text);
    };
    const auto newest = load_newest_checkpoint<float>(request_.folder, warn);
    restore(newest.checkpoint, model_->store, optimizer_.get(), newest.path.string());
    const CheckpointInfo& info = newest.checkpoint.info;
    step_ = info.step;
    metrics_ = Metrics::load(metrics_path(request_.folder));
    metrics_.truncate(info.training_rows, info.validation_rows);
    if (!metrics_.training().empty()) summary_.loss = metrics_.training().back().loss;
    if (!metrics_.validation().empty() && metrics_.validation().back().step == step_) {
      const ValidationRow& last = metrics_.validation().back();
      check_target(task_->counts_sequences() ? last.accuracy : last.token_accuracy);
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
                    .token_accuracy = std::numeric_limits<double>::quiet_NaN(),
                    .lr = lr,
                    .grad_norm = clipping.norm,
                    .tokens_per_s = static_cast<double>(rows_ * task_->length()) / seconds});
  }

  void after_step(Progress& progress) {
    const TrainConfig& t = config_.train;
    if (t.eval_every > 0 && step_ % t.eval_every == 0) {
      const Evaluation e = validate(t.eval_rows);
      progress.evaluation(step_, e);
      check_target(e.accuracy.value_or(e.token_accuracy));
    }
    if (t.checkpoint_every > 0 && step_ % t.checkpoint_every == 0) save();
    if (request_.stop_requested()) summary_.interrupted = true;
  }

  Evaluation validate(Index rows) {
    const Evaluation e = evaluate(*model_->net, *task_, request_.threads, rows);
    metrics_.append(
        ValidationRow{.step = step_,
                      .validation_loss = e.loss,
                      .token_accuracy = e.token_accuracy,
                      .accuracy = e.accuracy.value_or(std::numeric_limits<double>::quiet_NaN())});
    return e;
  }

  void check_target(double accuracy) {
    const double target = config_.train.target_accuracy;
    summary_.reached_target = target > 0 && accuracy >= target;
  }

  // The metrics first: a checkpoint must not count rows that the file does not hold.
  void save() {
    if (saved_at_ == step_) return;
    metrics_.save(metrics_path(request_.folder));
    CheckpointInfo info;
    info.step = step_;
    info.seed = config_.train.seed;
    info.training_rows = static_cast<Index>(metrics_.training().size());
    info.validation_rows = static_cast<Index>(metrics_.validation().size());
    info.config = to_toml(config_);
    if (task_->symbols().style() == Vocabulary::Style::kText) {
      info.vocabulary = task_->symbols().symbols();
    }
    save_newest_checkpoint(request_.folder, capture(info, model_->store, optimizer_.get()));
    saved_at_ = step_;
  }

  void finish() {
    summary_.steps = step_;
    summary_.evaluation = evaluate(*model_->net, *task_, request_.threads);
    summary_.parameters = model_->store.parameter_count();
    summary_.tokens_per_s =
        summary_.seconds > 0
            ? static_cast<double>(steps_here_ * rows_ * task_->length()) / summary_.seconds
            : 0;
    summary_.digest = parameter_digest(model_->store);
    const Sample sample = make_sample(*model_->net, *task_);
    summary_.sample = fmt::format("input      {}\nexpected   {}\npredicted  {}\n", sample.input,
                                  sample.expected, sample.predicted);
    summary_.attention_map = attention_map(*model_->net, *task_);
  }

  const TrainRequest& request_;
  const Config& config_;
  std::unique_ptr<Task> task_;
  std::unique_ptr<Model> model_;
  std::unique_ptr<Optimizer<float>> optimizer_;
  Schedule schedule_;
  Index rows_;  // of one optimizer step
  ShardedPass pass_;
  Batch batch_;
  Metrics metrics_;
  TrainSummary summary_;
  Index step_ = 0;        // updates made
  Index steps_here_ = 0;  // of these, by this call
  Index saved_at_ = -1;
};

}  // namespace

TrainSummary train(const TrainRequest& request) { return Trainer(request).run(); }

}  // namespace tapehead
