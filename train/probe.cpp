#include "train/probe.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "analysis/probe_infos.h"
#include "analysis/probe_statistics.h"
#include "train/batch_loss.h"

namespace tapehead {

namespace {

constexpr Index kMostProbedRows = 32;
constexpr Index kEvenRecords = 10;  // of probe_every = 0, beside that of step 0

// Attention layers of the model, and the weights that one row has in all of them.
struct AttentionSizes {
  double layers = 0, weights = 0;
};

AttentionSizes attention_sizes(const Config& config, const ModelSizes& sizes) {
  const ModelConfig& model = config.model;
  if (!traits_of(model.kind).attends) return {};
  const auto n = static_cast<double>(sizes.length);
  const auto layers = static_cast<double>(model.layers), heads = static_cast<double>(model.heads);
  if (!traits_of(model.kind).reads_sources()) return {layers, layers * heads * n * n};
  const auto m = static_cast<double>(sizes.source_length);
  return {3 * layers, layers * heads * (m * m + n * n + n * m)};
}

double numbers_of_a_head(std::string_view probe) {
  return static_cast<double>(probe_info(probe).samples.size());
}

// The number of steps in [0, steps] that are due.
Index record_count(const TrainConfig& train) {
  if (train.probe_every == 0) return std::min(train.steps, kEvenRecords) + 1;
  return (train.steps + train.probe_every - 1) / train.probe_every + 1;
}

}  // namespace

double ProbePlan::pass_bytes() const {
  return any() ? static_cast<double>(rows) * weights_of_a_row * sizeof(float) : 0;
}

ProbePlan plan_probes(const Config& config, const ModelSizes& sizes) {
  const ProbeChoice& probe = config.train.probe;
  const AttentionSizes attention = attention_sizes(config, sizes);
  ProbePlan plan;
  plan.weights_of_a_row = attention.weights;
  if (attention.layers == 0) return plan;
  const bool automatic = probe.mode == ProbeChoice::Mode::kAuto;
  const bool small = attention.weights <= static_cast<double>(kMostWeightsOfAPass);
  plan.attention = automatic ? attention.weights <= static_cast<double>(kMostWeightsOfARecord)
                             : probe.lists(ProbeKind::kAttention);
  plan.entropy = automatic ? small : probe.lists(ProbeKind::kEntropy);
  plan.logits = probe.lists(ProbeKind::kLogits);
  plan.gradients = probe.lists(ProbeKind::kGradients);
  plan.rows = small ? std::min(kMostProbedRows,
                               static_cast<Index>(static_cast<double>(kMostWeightsOfAPass) /
                                                  std::max(attention.weights, 1.0)))
                    : 1;
  plan.records = plan.any() ? record_count(config.train) : 0;
  plan.values_of_a_record = plan.attention ? attention.weights : 0;
  const double of_heads = attention.layers * static_cast<double>(config.model.heads);
  if (plan.entropy) plan.values_of_a_record += of_heads * numbers_of_a_head("entropy");
  if (plan.logits) plan.values_of_a_record += of_heads * numbers_of_a_head("logits");
  return plan;
}

Probe::Probe(const Config& config, const Task& task, const Model& model, int threads)
    : config_(config),
      task_(task),
      model_(model),
      threads_(threads),
      plan_(plan_probes(config, model_sizes(task))) {
  plan_.rows = std::min(plan_.rows, task.held_out_rows());
}

bool Probe::due(Index step) const {
  if (!plan_.any()) return false;
  const Index every = config_.train.probe_every, steps = config_.train.steps;
  if (step == 0 || step == steps) return true;
  if (every > 0) return step % every == 0;
  return step * kEvenRecords / steps != (step - 1) * kEvenRecords / steps;
}

ProbeRecord Probe::record(Index step, const Tensor<float>* step_gradients) const {
  Batch batch;
  task_.held_out_batch(0, plan_.rows, batch);
  const bool backward = plan_.gradients && counted_targets(batch, 0, plan_.rows) > 0;
  Tape<float> tape(backward ? Tape<float>::Mode::kRecord : Tape<float>::Mode::kInference);
  tape.context().threads = threads_;
  ModelTrace<float> trace;
  if (backward) {
    const Var<float> predicted = predict_counted(tape, *model_.net, batch, 0, plan_.rows, &trace);
    for (const auto& layer : trace.attention) {
      tape.keep_grad(layer.q);
      tape.keep_grad(layer.k);
    }
    const CountedTargets targets = copy_counted_targets(tape, batch, 0, plan_.rows);
    tape.backward(counted_loss(predicted, targets, static_cast<double>(targets.count)));
  } else {
    model_.net->hidden(tape, input_rows(tape, batch, 0, plan_.rows), {}, &trace);
  }

  ProbeRecord result;
  const auto add = [&result](std::vector<ProbeSample> more) {
    std::ranges::move(more, std::back_inserter(result.samples));
  };
  if (plan_.attention) add(attention_samples(trace.attention));
  if (plan_.entropy) add(entropy_samples(trace.attention));
  if (plan_.logits) add(logit_samples(trace.attention));
  if (backward) add(head_gradient_samples(trace.attention));
  if (plan_.gradients && step_gradients != nullptr) {
    std::vector<std::string> layers;
    for (const auto& layer : trace.attention) layers.push_back(layer.layer);
    add(weight_gradient_samples(layers, model_.store, *step_gradients));
  }
  for (ProbeSample& sample : result.samples) sample.step = step;
  result.labels = attention_labels(trace, task_, batch);
  return result;
}

}  // namespace tapehead
