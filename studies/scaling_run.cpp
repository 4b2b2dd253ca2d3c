#include "studies/scaling_run.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "autograd/ops/attention.h"
#include "figures/attention_statistics.h"
#include "studies/normal_numbers.h"
#include "train/trainer.h"

namespace tapehead {

namespace {

using Scale = AttentionScale::Kind;

constexpr ScaleChoice kScaleChoices[] = {
    {"none", [](Index) -> AttentionScale { return {Scale::kNone}; }},
    {"d^-1/4",
     [](Index d) -> AttentionScale {
       return {Scale::kNumber, std::pow(static_cast<double>(d), -0.25)};
     }},
    {"inv_sqrt", [](Index) -> AttentionScale { return {Scale::kInvSqrt}; }},
    {"1/d",
     [](Index d) -> AttentionScale {
       return {Scale::kNumber, 1 / static_cast<double>(d)};
     }},
    {"sqrt", [](Index) -> AttentionScale { return {Scale::kSqrt}; }},
    {"learned", [](Index) -> AttentionScale { return {Scale::kLearned}; }},
    {"qk_norm", [](Index) -> AttentionScale { return {Scale::kInvSqrt}; }, true},
};

// The only number of a sample: the model has one layer with one head.
std::vector<double> series_of(const Metrics& metrics, std::string_view name) {
  std::vector<double> values;
  for (const ProbeSample& sample : metrics.probes()) {
    if (sample.name == name) values.push_back(static_cast<double>(sample.values.at(0)));
  }
  return values;
}

double steps_to(double accuracy, const Metrics& metrics) {
  for (const ValidationRow& row : metrics.validation()) {
    if (row.accuracy >= accuracy) return static_cast<double>(row.step);
  }
  return std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

std::span<const ScaleChoice> scale_choices() { return kScaleChoices; }

const ScaleChoice& find_scale(std::string_view name) {
  return *std::ranges::find(kScaleChoices, name, &ScaleChoice::name);
}

Config scaling_config(const ScalingRun& run, Index steps) {
  const ScaleChoice& scale = find_scale(run.scale);
  Config c = default_config("copy");
  c.task.length = 8;
  c.task.symbols = 10;
  c.model.d_model = c.model.d_ff = run.d;
  c.model.heads = 1;
  c.model.layers = 1;
  c.model.scale = scale.scale(run.d);
  c.model.qk_norm = scale.qk_norm;
  c.model.init = run.init;
  c.optimizer.lr = 1e-3;
  c.optimizer.warmup = 20;
  c.optimizer.schedule = ScheduleKind::kConstant;
  c.train.steps = steps;
  c.train.batch = 32;
  c.train.seed = run.seed;
  c.train.eval_every = 5;
  c.train.eval_rows = 128;
  c.train.checkpoint_every = 0;
  c.train.probe = {ProbeChoice::Mode::kListed,
                   {ProbeKind::kEntropy, ProbeKind::kLogits, ProbeKind::kGradients}};
  c.train.probe_every = std::max(steps / kScalingRecords, Index{1});
  return completed(c);
}

ScalingOutcome run_scaling(const ScalingRun& run, Index steps,
                           const std::function<bool()>& stop_requested) {
  constexpr double kTarget = 0.9;
  const TrainedModel trained = train_in_memory(scaling_config(run, steps), 1, stop_requested);
  const Metrics& metrics = trained.metrics;
  ScalingOutcome outcome;
  outcome.steps_to_90 = steps_to(kTarget, metrics);
  outcome.accuracy = metrics.validation().empty() ? 0 : metrics.validation().back().accuracy;
  outcome.logit_std = series_of(metrics, "logits/std").front();
  outcome.iid_entropy = causal_iid_entropy(outcome.logit_std, trained.task->length());
  outcome.entropy = series_of(metrics, "entropy/mean");
  outcome.above_99 = series_of(metrics, "entropy/above_0.99");
  outcome.gradient = series_of(metrics, "gradients/W_Q");
  return outcome;
}

double causal_iid_entropy(double s, Index n) {
  constexpr Index kDraws = 2000;
  constexpr std::uint32_t kStream = 104;  // of the seed's random numbers
  Tape<double> tape(Tape<double>::Mode::kInference);
  Tensor<double> q = tape.allocate({1, n, kDraws});
  q.fill(s);
  Tensor<double> k = tape.allocate({1, n, kDraws});
  NormalNumbers(1, kStream).fill(k.values());
  AttentionOptions options;
  options.heads = options.kv_heads = kDraws;
  options.scale = 1;
  options.mask = Mask::causal();
  const Var<double> values = tape.leaf(tape.allocate_zeros({1, n, kDraws}));
  const Tensor<double> weights =
      attention_with_weights(tape.leaf(q), tape.leaf(k), values, options).weights.value();
  double sum = 0;
  for (Index row = 0; row < kDraws * n; ++row) {
    if (row % n == 0) continue;  // the first query sees one key: no choice
    sum += entropy<double>(
        weights.values().subspan(static_cast<std::size_t>(row * n), static_cast<std::size_t>(n)));
  }
  return sum / static_cast<double>(kDraws * (n - 1));
}

std::vector<double> ScalingOutcome::numbers() const {
  std::vector<double> all = {steps_to_90, accuracy, logit_std, iid_entropy};
  for (const auto* series : {&entropy, &above_99, &gradient}) {
    all.push_back(static_cast<double>(series->size()));
    all.insert(all.end(), series->begin(), series->end());
  }
  return all;
}

ScalingOutcome ScalingOutcome::from_numbers(const std::vector<double>& numbers) {
  ScalingOutcome o;
  auto at = numbers.begin();
  for (double* number : {&o.steps_to_90, &o.accuracy, &o.logit_std, &o.iid_entropy}) {
    *number = *at++;
  }
  for (auto* series : {&o.entropy, &o.above_99, &o.gradient}) {
    const auto size = static_cast<std::ptrdiff_t>(*at++);
    series->assign(at, at + size);
    at += size;
  }
  return o;
}

}  // namespace tapehead
