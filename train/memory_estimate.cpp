#include "train/memory_estimate.h"

#include <unistd.h>

#include <algorithm>

#include <fmt/format.h>

#include "base/error.h"
#include "layers/distance_bias.h"
#include "train/metrics.h"
#include "train/probe.h"
#include "train/sharded_pass.h"

namespace tapehead {

namespace {

// The sizes of a model, as doubles: their products may be beyond 64 bits.
struct Sizes {
  Sizes(const ModelConfig& model, const ModelSizes& task)
      : length(static_cast<double>(task.length)),
        source_length(static_cast<double>(task.source_length)),
        layers(static_cast<double>(model.layers)),
        width(static_cast<double>(model.d_model)),
        head_width(static_cast<double>(model.effective_head_dim())),
        query_width(head_width * static_cast<double>(model.heads)),
        key_width(head_width * static_cast<double>(model.effective_kv_heads())),
        hidden(static_cast<double>(model.effective_d_ff())),
        heads(static_cast<double>(model.heads)),
        gates(model.kind == ModelKind::kLstm ? 4 : (model.kind == ModelKind::kGru ? 3 : 1)) {}

  double length, source_length, layers, width, head_width, query_width, key_width, hidden, heads;
  double gates;  // of a recurrent network
};

// The first and the last layer.
double end_parameters(const ModelConfig& model, const ModelSizes& task, double width) {
  double rows = static_cast<double>(task.source_vocabulary);
  rows += static_cast<double>(task.features > 0 ? task.features + 1 : task.vocabulary);
  if (!model.tie_embeddings) {
    rows += static_cast<double>(task.outputs > 0 ? task.outputs : task.vocabulary);
  }
  return rows * width;
}

// How many of the projections of keys and values are not shared.
double own_projections(const ModelConfig& model) {
  if (model.share_qkv == SharedProjections::kNone) return 2;
  return model.share_qkv == SharedProjections::kQKV ? 0 : 1;
}

double attention_parameters(const ModelConfig& model, const Sizes& s) {
  const double bias = model.bias ? 1 : 0, gamma = model.sigma_reparam ? 1 : 0;
  const auto linear = [&](double in, double out) { return (in + bias) * out + gamma; };
  double count = linear(s.width, s.query_width) + linear(s.query_width, s.width);
  count += own_projections(model) * linear(s.width, s.key_width);
  if (model.attention == AttentionScores::kAdditive) count += s.query_width;
  const bool number = model.scale.kind == AttentionScale::Kind::kNumber;
  const bool learned_scale =
      model.scale.kind == AttentionScale::Kind::kLearned || (model.qk_norm && !number);
  return count + (learned_scale ? 1 : 0);
}

// Of the positions of one transformer, and of those of another one that reads the source.
double position_parameters(const ModelConfig& model, const Sizes& s) {
  if (model.position == PositionKind::kLearned) return (s.length + s.source_length) * s.width;
  const double trunks = traits_of(model.kind).reads_sources() ? 2 : 1;
  if (model.position == PositionKind::kFloater)
    return trunks * (2 * s.width * (s.width + 1) + 2 * s.width);
  if (model.position == PositionKind::kRecurrent) return trunks * 2 * (s.width + 1) * s.width;
  return model.position == PositionKind::kT5 ? trunks * static_cast<double>(kT5Buckets) * s.heads
                                             : 0;
}

// All between them, of a transformer.
double trunk_parameters(const ModelConfig& model, const Sizes& s) {
  const double bias = model.bias ? 1 : 0;
  const auto linear = [bias](double in, double out) { return (in + bias) * out; };
  const double norm = s.width * (model.norm_kind == NormKind::kLayer ? 1 + bias : 1);
  const double feed_forward = linear(s.width, s.hidden) + linear(s.hidden, s.width);
  const bool pair = traits_of(model.kind).reads_sources();
  const double trunks = pair ? 2 : 1;
  const double attention = attention_parameters(model, s);
  double count = trunks * s.layers * (attention + feed_forward + 2 * norm);
  if (pair) count += s.layers * (attention + norm);  // to the source
  if (model.norm == NormPlacement::kPre) count += trunks * norm;
  return count + position_parameters(model, s);
}

// The same of a recurrent network, and of a convolution network.
double recurrent_parameters(const ModelConfig& model, const Sizes& s) {
  return s.layers * s.gates * s.width * 2 * (s.width + (model.bias ? 1 : 0));
}

double conv_parameters(const ModelConfig& model, const Sizes& s) {
  const double bias = model.bias ? 1 : 0;
  const double norm = s.width * (model.norm_kind == NormKind::kLayer ? 1 + bias : 1);
  const double conv = (static_cast<double>(model.kernel_size) * s.width + bias) * s.hidden;
  return s.layers * (conv + (s.hidden + bias) * s.width + norm) +
         (model.norm == NormPlacement::kPre ? norm : 0);
}

double parameter_count(const ModelConfig& model, const ModelSizes& task, const Sizes& s) {
  const double ends = end_parameters(model, task, s.width);
  if (traits_of(model.kind).is_recurrent()) return ends + recurrent_parameters(model, s);
  return ends +
         (traits_of(model.kind).convolves ? conv_parameters(model, s) : trunk_parameters(model, s));
}

// Buffers of the size of the parameters that an optimizer keeps.
double moments(const OptimizerConfig& optimizer) {
  if (optimizer.name == OptimizerKind::kSgd) return optimizer.momentum > 0 ? 1 : 0;
  return optimizer.amsgrad ? 3 : 2;
}

double shard_count(const TrainConfig& train, Index length) {
  return static_cast<double>(train.shards > 0 ? train.shards : default_shards(train.batch, length));
}

// Numbers that a row leaves on the tape. A lower bound: what no backward pass could do without, so
// that nothing is refused that would fit.
double activations_per_row(const ModelConfig& model, const Sizes& s) {
  if (traits_of(model.kind).is_recurrent()) return s.length * s.layers * (s.gates + 1) * s.width;
  if (traits_of(model.kind).convolves) return s.length * s.layers * (s.width + 2 * s.hidden);
  // The inputs of the two norms, of the queries, of the feed-forward; keys and values.
  const double layer = 4 * s.width + own_projections(model) * s.key_width + 2 * s.hidden;
  const double cross =
      s.length * 2 * s.width + s.source_length * own_projections(model) * s.key_width;
  return s.layers * ((s.length + s.source_length) * layer +
                     (traits_of(model.kind).reads_sources() ? cross : 0));
}

std::string size_text(double bytes) {
  constexpr double kGiB = 1 << 30;
  return bytes < 10 * kGiB ? fmt::format("{:.1f} GiB", bytes / kGiB)
                           : fmt::format("{:.0f} GiB", bytes / kGiB);
}

// What to make smaller; recurrent networks have no feed-forward layer, convolutions a kernel too.
const char* keys_of_largest(const MemoryEstimate& e, const ModelTraits& traits) {
  if (e.probes >= std::max({e.model, e.batch, e.metrics})) {
    return "task.length or the list train.probe";
  }
  if (e.model >= std::max(e.batch, e.metrics)) {
    if (traits.is_recurrent()) return "model.d_model or model.layers";
    return traits.convolves ? "model.d_model, model.layers, model.d_ff or model.kernel_size"
                            : "model.d_model, model.layers or model.d_ff";
  }
  return e.batch >= e.metrics
             ? "train.batch, train.accumulate, task.length, model.d_model or model.layers"
             : "train.steps";
}

}  // namespace

MemoryEstimate estimate_memory(const Config& config, const ModelSizes& sizes) {
  const Sizes s(config.model, sizes);
  const auto rows = static_cast<double>(config.train.batch);
  const double tokens_of_row = 2 * s.length + s.source_length;
  const double numbers_of_row = s.length * static_cast<double>(sizes.features + sizes.outputs);
  MemoryEstimate e;
  e.parameters = parameter_count(config.model, sizes, s);
  e.model = e.parameters * sizeof(float) *
            (1 + shard_count(config.train, sizes.length) + moments(config.optimizer));
  e.batch = rows * activations_per_row(config.model, s) * sizeof(float) +
            rows * static_cast<double>(config.train.accumulate) *
                (tokens_of_row * sizeof(TokenId) + numbers_of_row * sizeof(float));
  e.metrics =
      static_cast<double>(config.train.steps) * (sizeof(TrainingRow) + sizeof(ValidationRow));
  const ProbePlan probes = plan_probes(config, sizes);
  e.probes = probes.pass_bytes() +
             static_cast<double>(probes.records) * probes.values_of_a_record * sizeof(float);
  return e;
}

void check_memory(const Config& config, const ModelSizes& sizes, double available) {
  const MemoryEstimate e = estimate_memory(config, sizes);
  if (e.total() <= available) return;
  throw ValueError(fmt::format(
      "out of memory: training needs at least {} (a model of {:.3g} parameters with gradients and "
      "optimizer {}, a batch {}, metrics {}, probes {}), and this machine has {}; make {} smaller",
      size_text(e.total()), e.parameters, size_text(e.model), size_text(e.batch),
      size_text(e.metrics), size_text(e.probes), size_text(available),
      keys_of_largest(e, traits_of(config.model.kind))));
}

double physical_memory() {
  return static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
}

}  // namespace tapehead
