#include "train/memory_estimate.h"

#include <unistd.h>

#include <algorithm>

#include <fmt/format.h>

#include "base/error.h"
#include "train/metrics.h"
#include "train/parameter_shapes.h"
#include "train/probe.h"
#include "train/sharded_pass.h"

namespace tapehead {

namespace {

// Buffers of the size of the parameters that an optimizer keeps.
double moments(const OptimizerConfig& optimizer) {
  if (optimizer.name == OptimizerKind::kSgd) return optimizer.momentum > 0 ? 1 : 0;
  return optimizer.amsgrad ? 3 : 2;
}

double shard_count(const TrainConfig& train, Index length) {
  return static_cast<double>(train.shards > 0 ? train.shards : default_shards(train.batch, length));
}

// Whether a layer leaves a number on the tape for each row of a parameter: the result of a product
// with it, or of a norm. A recurrent network adds the product with its state to that with its
// input.
bool leaves_results(const ParameterShape& p) {
  if (p.kind == ParameterKind::kWeight) return p.name.find("weight_hh") == std::string::npos;
  return p.kind == ParameterKind::kNorm && p.name.ends_with(".weight");
}

// Whether these are at the positions of an encoder-decoder's source.
bool reads_source(const ParameterShape& p) {
  return p.name.starts_with("encoder.") || p.name.ends_with("cross_attention.fc_k.weight") ||
         p.name.ends_with("cross_attention.fc_v.weight");
}

// Numbers that a row leaves on the tape. A lower bound: what no backward pass could do without, so
// that nothing is refused that would fit.
double activations_per_row(const ParameterShapes& model, const ModelSizes& sizes) {
  double numbers = 0;
  for (const ParameterShape& p : model.layer) {
    if (!leaves_results(p)) continue;
    const Index positions = reads_source(p) ? sizes.source_length : sizes.length;
    numbers += static_cast<double>(p.shape[0]) * static_cast<double>(positions);
  }
  return model.layers * numbers;
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
  const ParameterShapes model = parameter_shapes(config, sizes);
  const auto rows = static_cast<double>(config.train.batch);
  const auto length = static_cast<double>(sizes.length);
  const double tokens_of_row = 2 * length + static_cast<double>(sizes.source_length);
  const double numbers_of_row = length * static_cast<double>(sizes.features + sizes.outputs);
  MemoryEstimate e;
  e.parameters = model.count();
  e.model = e.parameters * sizeof(float) *
            (1 + shard_count(config.train, sizes.length) + moments(config.optimizer));
  e.batch = rows * activations_per_row(model, sizes) * sizeof(float) +
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
