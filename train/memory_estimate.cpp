#include "train/memory_estimate.h"

#include <unistd.h>

#include <algorithm>

#include <fmt/format.h>

#include "autograd/error.h"
#include "layers/distance_bias.h"
#include "train/metrics.h"
#include "train/sharded_pass.h"

namespace tapehead {

namespace {

// The sizes of a model, as doubles: their products may be beyond 64 bits.
struct Sizes {
  Sizes(const ModelConfig& model, Index vocabulary_size, Index row_length)
      : vocabulary(static_cast<double>(vocabulary_size)),
        length(static_cast<double>(row_length)),
        layers(static_cast<double>(model.layers)),
        width(static_cast<double>(model.d_model)),
        key_width(width / static_cast<double>(model.heads) *
                  static_cast<double>(model.kv_heads == 0 ? model.heads : model.kv_heads)),
        hidden(model.d_ff == 0 ? 4 * width : static_cast<double>(model.d_ff)),
        heads(static_cast<double>(model.heads)) {}

  double vocabulary, length, layers, width, key_width, hidden, heads;
};

// How many of the projections of keys and values are not shared.
double own_projections(const ModelConfig& model) {
  if (model.share_qkv == "none") return 2;
  return model.share_qkv == "qkv" ? 0 : 1;
}

double attention_parameters(const ModelConfig& model, const Sizes& s) {
  const double bias = model.bias ? 1 : 0, gamma = model.sigma_reparam ? 1 : 0;
  const auto linear = [&](double in, double out) { return (in + bias) * out + gamma; };
  double count = 2 * linear(s.width, s.width);  // queries and output
  count += own_projections(model) * linear(s.width, s.key_width);
  if (model.attention == "additive") count += s.width;
  const bool number = std::holds_alternative<double>(model.scale);
  const bool learned_scale = model.scale == WordOrNumber("learned") || (model.qk_norm && !number);
  return count + (learned_scale ? 1 : 0);
}

double position_parameters(const ModelConfig& model, const Sizes& s) {
  if (model.position == "learned") return s.length * s.width;
  if (model.position == "floater") return 2 * s.width * (s.width + 1) + 2 * s.width;
  if (model.position == "recurrent") return (2 * s.width + 1) * s.width;
  return model.position == "t5" ? static_cast<double>(kT5Buckets) * s.heads : 0;
}

double parameter_count(const ModelConfig& model, const Sizes& s) {
  const double bias = model.bias ? 1 : 0;
  const auto linear = [bias](double in, double out) { return (in + bias) * out; };
  const double norm = s.width * (model.norm_kind == "layer" ? 1 + bias : 1);
  const double feed_forward = linear(s.width, s.hidden) + linear(s.hidden, s.width);
  double embeddings = s.vocabulary * s.width;
  if (!model.tie_embeddings) embeddings += s.vocabulary * s.width;
  return embeddings + position_parameters(model, s) +
         s.layers * (attention_parameters(model, s) + feed_forward + 2 * norm) +
         (model.norm == "pre" ? norm : 0);
}

// Buffers of the size of the parameters that an optimizer keeps.
double moments(const OptimizerConfig& optimizer) {
  if (optimizer.name == "sgd") return optimizer.momentum > 0 ? 1 : 0;
  return optimizer.amsgrad ? 3 : 2;
}

double shard_count(const TrainConfig& train, Index length) {
  return static_cast<double>(train.shards > 0 ? train.shards : default_shards(train.batch, length));
}

// Numbers that one time step leaves on the tape. A lower bound: what no backward pass could do
// without, so that nothing is refused that would fit.
double activations_per_token(const ModelConfig& model, const Sizes& s) {
  constexpr double kPerWidth = 4;  // inputs of the two norms, of the queries, of the feed-forward
  return s.layers * (kPerWidth * s.width + own_projections(model) * s.key_width + 2 * s.hidden) +
         s.vocabulary;
}

std::string size_text(double bytes) {
  constexpr double kGiB = 1 << 30;
  return bytes < 10 * kGiB ? fmt::format("{:.1f} GiB", bytes / kGiB)
                           : fmt::format("{:.0f} GiB", bytes / kGiB);
}

const char* keys_of_largest(const MemoryEstimate& e) {
  if (e.model >= std::max(e.batch, e.metrics)) {
    return "model.d_model, model.layers or model.d_ff";
  }
  return e.batch >= e.metrics
             ? "train.batch, train.accumulate, task.length, model.d_model or model.layers"
             : "train.steps";
}

}  // namespace

MemoryEstimate estimate_memory(const Config& config, Index vocabulary, Index length) {
  const Sizes s(config.model, vocabulary, length);
  const double tokens = static_cast<double>(config.train.batch) * s.length;
  const double batch_tokens = tokens * static_cast<double>(config.train.accumulate);
  MemoryEstimate e;
  e.parameters = parameter_count(config.model, s);
  e.model = e.parameters * sizeof(float) *
            (1 + shard_count(config.train, length) + moments(config.optimizer));
  e.batch = 2 * batch_tokens * sizeof(TokenId) +
            tokens * activations_per_token(config.model, s) * sizeof(float);
  e.metrics =
      static_cast<double>(config.train.steps) * (sizeof(TrainingRow) + sizeof(ValidationRow));
  return e;
}

void check_memory(const Config& config, Index vocabulary, Index length, double available) {
  const MemoryEstimate e = estimate_memory(config, vocabulary, length);
  if (e.total() <= available) return;
  throw ValueError(fmt::format(
      "out of memory: training needs at least {} (a model of {:.3g} parameters with gradients and "
      "optimizer {}, a batch {}, metrics {}), and this machine has {}; make {} smaller",
      size_text(e.total()), e.parameters, size_text(e.model), size_text(e.batch),
      size_text(e.metrics), size_text(available), keys_of_largest(e)));
}

double physical_memory() {
  return static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
}

}  // namespace tapehead
