#include "analysis/probe_statistics.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <span>

#include "analysis/attention_labels.h"
#include "autograd/ops/attention.h"
#include "figures/attention_statistics.h"

namespace tapehead {

namespace {

// One row of an attention layer's scores and weights: those of one query.
struct AttentionRow {
  std::span<const float> scores;   // -inf where a key is not seen
  std::span<const float> weights;  // as many
};

bool is_seen(float score) { return score > -std::numeric_limits<float>::infinity(); }

// Calls look(row) for every row of one head that sees at least two keys: with one there is nothing
// to choose.
void for_each_row(const Tensor<float>& scores, const Tensor<float>& weights, Index head,
                  const std::function<void(const AttentionRow&)>& look) {
  const Shape& s = scores.shape();  // (batch, heads, n_q, n_k)
  for (Index b = 0; b < s[0]; ++b) {
    for (Index i = 0; i < s[2]; ++i) {
      const auto at = static_cast<std::size_t>(((b * s[1] + head) * s[2] + i) * s[3]);
      const auto keys = static_cast<std::size_t>(s[3]);
      const AttentionRow row{scores.values().subspan(at, keys), weights.values().subspan(at, keys)};
      if (std::ranges::count_if(row.scores, is_seen) >= 2) look(row);
    }
  }
}

// Numbers of each layer and head, of several names at a time.
class HeadTable {
 public:
  HeadTable(const AttentionTraces& layers, std::vector<std::string> names) {
    const Index heads = layers.empty() ? 0 : layers.front().options.heads;
    for (std::string& name : names) {
      samples_.push_back({std::move(name), 0, {static_cast<Index>(layers.size()), heads}, {}});
    }
  }
  void add(std::initializer_list<double> numbers) {
    auto sample = samples_.begin();
    for (const double x : numbers) (sample++)->values.push_back(static_cast<float>(x));
  }
  std::vector<ProbeSample> take() { return std::move(samples_); }

 private:
  std::vector<ProbeSample> samples_;
};

// Calls add(trace, scores, head) for each layer and head.
template <typename Add>
void for_each_head(const AttentionTraces& layers, const Add& add) {
  for (const AttentionTrace<float>& layer : layers) {
    const Tensor<float> scores =
        attention_scores(layer.q, layer.k, layer.score_weight, layer.options, layer.distance_bias);
    for (Index h = 0; h < layer.options.heads; ++h) add(layer, scores, h);
  }
}

struct EntropySums {
  double rows = 0, entropy = 0, largest = 0, above = 0, ones = 0;

  void add(const AttentionRow& row) {
    constexpr double kNearlyOne = 0.99;
    const double top = tapehead::largest(row.weights);
    rows += 1;
    entropy += tapehead::entropy(row.weights);
    largest += top;
    above += top > kNearlyOne ? 1 : 0;
    ones += top == 1 ? 1 : 0;
  }
};

struct LogitSums {
  double rows = 0, variances = 0, keys = 0, sizes = 0, largest = 0;

  void add(const AttentionRow& row) {
    double count = 0, sum = 0, squares = 0;
    for (const float score : row.scores) {
      if (!is_seen(score)) continue;
      const double x = score;
      count += 1;
      sum += x;
      sizes += std::abs(x);
      largest = std::max(largest, std::abs(x));
    }
    for (const float score : row.scores) {
      if (is_seen(score)) squares += (score - sum / count) * (score - sum / count);
    }
    rows += 1;
    keys += count;
    variances += squares / (count - 1);
  }
};

// The norm of columns [first, first + width) of x (batch, n, all).
double norm_of_columns(const Tensor<float>& x, Index first, Index width) {
  double squares = 0;
  const Index all = x.dim(2);
  for (Index row = 0; row < x.dim(0) * x.dim(1); ++row) {
    for (Index c = first; c < first + width; ++c) {
      const double g = x[row * all + c];
      squares += g * g;
    }
  }
  return std::sqrt(squares);
}

// The norms of the gradients of each head's part of `operand`.
ProbeSample norms_by_head(std::string name, const AttentionTraces& layers,
                          Var<float> AttentionTrace<float>::*operand,
                          Index AttentionOptions::*heads_of) {
  ProbeSample sample{std::move(name), 0, {static_cast<Index>(layers.size()), 0}, {}};
  for (const AttentionTrace<float>& layer : layers) {
    const Tensor<float> gradient = (layer.*operand).grad();
    const Index heads = layer.options.*heads_of, width = gradient.dim(2) / heads;
    sample.shape[1] = heads;
    for (Index h = 0; h < heads; ++h) {
      sample.values.push_back(static_cast<float>(norm_of_columns(gradient, h * width, width)));
    }
  }
  return sample;
}

}  // namespace

std::vector<ProbeSample> attention_samples(const AttentionTraces& layers) {
  std::vector<ProbeSample> samples;
  for (const AttentionTrace<float>& layer : layers) {
    const std::string name(weights_name(layer.kind));  // those of a kind have one shape
    auto sample = std::ranges::find(samples, name, &ProbeSample::name);
    const Shape& s = layer.weights.shape();
    if (sample == samples.end()) {
      sample = samples.insert(sample, {name, 0, {0, s[1], s[2], s[3]}, {}});
    }
    ++sample->shape[0];
    const float* first = layer.weights.value().data();
    sample->values.insert(sample->values.end(), first, first + s[1] * s[2] * s[3]);
  }
  return samples;
}

std::vector<ProbeSample> entropy_samples(const AttentionTraces& layers) {
  HeadTable table(
      layers, {"entropy/mean", "entropy/max_weight", "entropy/above_0.99", "entropy/exact_one"});
  for_each_head(layers, [&table](const auto& layer, const Tensor<float>& scores, Index h) {
    EntropySums s;
    for_each_row(scores, layer.weights.value(), h, [&s](const AttentionRow& row) { s.add(row); });
    table.add({s.entropy / s.rows, s.largest / s.rows, s.above / s.rows, s.ones / s.rows});
  });
  return table.take();
}

std::vector<ProbeSample> logit_samples(const AttentionTraces& layers) {
  HeadTable table(layers, {"logits/std", "logits/abs_mean", "logits/max"});
  for_each_head(layers, [&table](const auto& layer, const Tensor<float>& scores, Index h) {
    LogitSums s;
    for_each_row(scores, layer.weights.value(), h, [&s](const AttentionRow& row) { s.add(row); });
    const double none = std::numeric_limits<double>::quiet_NaN();
    table.add({std::sqrt(s.variances / s.rows), s.sizes / s.keys, s.rows > 0 ? s.largest : none});
  });
  return table.take();
}

std::vector<ProbeSample> head_gradient_samples(const AttentionTraces& layers) {
  using Trace = AttentionTrace<float>;
  return {norms_by_head("gradients/q", layers, &Trace::q, &AttentionOptions::heads),
          norms_by_head("gradients/k", layers, &Trace::k, &AttentionOptions::kv_heads)};
}

std::vector<ProbeSample> weight_gradient_samples(const std::vector<std::string>& layers,
                                                 const ParameterStore<float>& store,
                                                 const Tensor<float>& gradients) {
  const auto count = static_cast<Index>(layers.size());
  std::vector<ProbeSample> samples;
  for (const char* name : {"W_Q", "W_K", "W_V", "W_O"}) {
    samples.push_back({std::string("gradients/") + name, 0, {count}, {}});
  }
  for (const std::string& layer : layers) {
    std::string projection = layer + ".fc_q.weight";
    for (std::size_t i = 0; i < samples.size(); ++i) {
      constexpr const char* kOwn[] = {".fc_q.weight", ".fc_k.weight", ".fc_v.weight",
                                      ".fc_o.weight"};
      const std::string own = layer + kOwn[i];
      if (store.contains(own)) projection = own;  // else it is that of the one before
      const Tensor<float> part = store.part(gradients, store.find(projection));
      samples[i].values.push_back(static_cast<float>(euclidean_norm<float>(part.values())));
    }
  }
  return samples;
}

}  // namespace tapehead
