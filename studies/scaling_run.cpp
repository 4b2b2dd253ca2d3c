#include "studies/scaling_run.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "autograd/ops/attention.h"
#include "figures/attention_statistics.h"
#include "studies/normal_numbers.h"
#include "train/trainer.h"

namespace tapehead {

namespace {

std::string number_setting(double x) { return fmt::format("{:.9g}", x); }

constexpr ScaleChoice kScaleChoices[] = {
    {"none", [](Index) -> std::string { return "none"; }},
    {"d^-1/4", [](Index d) { return number_setting(std::pow(static_cast<double>(d), -0.25)); }},
    {"inv_sqrt", [](Index) -> std::string { return "inv_sqrt"; }},
    {"1/d", [](Index d) { return number_setting(1 / static_cast<double>(d)); }},
    {"sqrt", [](Index) -> std::string { return "sqrt"; }},
    {"learned", [](Index) -> std::string { return "learned"; }},
    {"qk_norm", [](Index) -> std::string { return "inv_sqrt"; }, true},
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
  const Index every = std::max(steps / kScalingRecords, Index{1});
  std::vector<Setting> settings = {{"task.name=copy"},
                                   {"task.length=8"},
                                   {"task.symbols=10"},
                                   {"model.heads=1"},
                                   {"model.layers=1"},
                                   {"optimizer.lr=1e-3"},
                                   {"optimizer.warmup=20"},
                                   {"optimizer.schedule=constant"},
                                   {"train.batch=32"},
                                   {"train.eval_every=5"},
                                   {"train.eval_rows=128"},
                                   {"train.checkpoint_every=0"},
                                   {"train.probe=entropy,logits,gradients"}};
  for (const auto& [key, value] :
       {std::pair<const char*, std::string>{"model.d_model", fmt::format("{}", run.d)},
        {"model.d_ff", fmt::format("{}", run.d)},
        {"model.scale", scale.scale(run.d)},
        {"model.qk_norm", scale.qk_norm ? "true" : "false"},
        {"model.init", run.init},
        {"train.seed", fmt::format("{}", run.seed)},
        {"train.steps", fmt::format("{}", steps)},
        {"train.probe_every", fmt::format("{}", every)}}) {
    settings.push_back({fmt::format("{}={}", key, value)});
  }
  return resolve_config({.settings = settings});
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
