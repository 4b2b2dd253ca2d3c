#include "studies/head_measures.h"

#include <algorithm>
#include <numeric>

#include "base/denormals.h"
#include "base/random.h"
#include "train/batch_loss.h"

namespace tapehead {

namespace {

// The numbers of one head, one of each sequence.
struct HeadSamples {
  std::vector<double> previous, duplicate, induction, first, entropy, distance;
  std::vector<std::vector<double>> token_mass;  // (sequences, symbols); none for real numbers
};

void add_sample(const HeadAttention& a, Index symbols, HeadSamples& samples) {
  const PatternShares shares = pattern_shares(a);
  samples.previous.push_back(shares.previous);
  samples.duplicate.push_back(shares.duplicate);
  samples.induction.push_back(shares.induction);
  const AttentionShape shape = attention_shape(a);
  samples.first.push_back(shape.first);
  samples.entropy.push_back(shape.entropy);
  samples.distance.push_back(shape.distance);
  if (a.key_tokens.empty()) return;
  samples.token_mass.emplace_back(static_cast<std::size_t>(symbols));
  add_token_mass(a, samples.token_mass.back());
}

// The token that gets most, and its share in each sequence.
void find_top_token(const HeadSamples& samples, HeadMeasures& head) {
  if (samples.token_mass.empty()) return;
  std::vector<double> sums(samples.token_mass.front().size());
  for (const auto& mass : samples.token_mass) {
    std::ranges::transform(sums, mass, sums.begin(), std::plus<>());
  }
  const auto top = std::ranges::max_element(sums) - sums.begin();
  head.top_token = static_cast<TokenId>(top);
  std::vector<double> shares;
  for (const auto& mass : samples.token_mass) {
    const double all = std::accumulate(mass.begin(), mass.end(), 0.0);
    shares.push_back(mass[static_cast<std::size_t>(top)] / all);
  }
  head.top_share = estimate(shares);
}

HeadMeasures measures_of(const HeadSamples& samples) {
  HeadMeasures head;
  find_top_token(samples, head);
  head.previous = estimate(samples.previous);
  head.duplicate = estimate(samples.duplicate);
  head.induction = estimate(samples.induction);
  head.first = estimate(samples.first);
  head.entropy = estimate(samples.entropy);
  head.distance = estimate(samples.distance);
  return head;
}

std::span<const TokenId> tokens_of(const Batch& batch, bool source) {
  if (source) return batch.sources;
  return batch.feature_width > 0 ? std::span<const TokenId>() : batch.inputs;
}

void add(const PatternShares& more, PatternShares& sum) {
  sum.previous += more.previous;
  sum.duplicate += more.duplicate;
  sum.induction += more.induction;
}

PatternShares divided(const PatternShares& sum, double n) {
  return {sum.previous / n, sum.duplicate / n, sum.induction / n};
}

// Calls f(member) for everything of a head that is an Estimate.
template <typename Head, typename F>
void for_each_estimate(Head& head, const F& f) {
  for (auto* e : {&head.top_share, &head.previous, &head.duplicate, &head.induction, &head.first,
                  &head.entropy, &head.distance}) {
    f(*e);
  }
}

template <typename Shares, typename F>
void for_each_share(Shares& shares, const F& f) {
  for (auto* share : {&shares.previous, &shares.duplicate, &shares.induction}) f(*share);
}

}  // namespace

MeasuredHeads measure_heads(const SequenceModel<float>& net, Index symbols, Index source_symbols,
                            Index rows, const FillRow& fill, const std::function<void()>& stop) {
  const FlushDenormals flush;
  std::vector<HeadSamples> samples;
  MeasuredHeads result;
  Batch batch;
  for (Index row = 0; row < rows; ++row) {
    stop();
    fill(row, batch);
    Tape<float> tape(Tape<float>::Mode::kInference);
    ModelTrace<float> trace;
    net.hidden(tape, input_rows(tape, batch, 0, 1), {}, &trace);
    add(largest_shares(tokens_of(batch, false), batch.length), result.largest);
    add(largest_shares(tokens_of(batch, true), batch.source_length), result.largest_of_source);
    std::size_t head = 0;
    for (const AttentionTrace<float>& layer : trace.attention) {
      const Tensor<float>& weights = layer.weights.value();  // (1, H, n_q, n_k)
      HeadAttention a{.queries = weights.dim(2),
                      .keys = weights.dim(3),
                      .query_tokens = tokens_of(batch, queries_source(layer.kind)),
                      .key_tokens = tokens_of(batch, looks_at_source(layer.kind)),
                      .cross = layer.kind == AttentionKind::kCross};
      for (Index h = 0; h < layer.options.heads; ++h, ++head) {
        a.weights = weights.data() + h * a.queries * a.keys;
        if (head == samples.size()) samples.emplace_back();
        add_sample(a, looks_at_source(layer.kind) ? source_symbols : symbols, samples[head]);
      }
    }
  }
  for (const HeadSamples& s : samples) result.heads.push_back(measures_of(s));
  result.largest = divided(result.largest, static_cast<double>(rows));
  result.largest_of_source = divided(result.largest_of_source, static_cast<double>(rows));
  return result;
}

std::vector<double> to_numbers(const MeasuredHeads& measured) {
  std::vector<double> numbers;
  const auto push = [&numbers](double x) { numbers.push_back(x); };
  for_each_share(measured.largest, push);
  for_each_share(measured.largest_of_source, push);
  for (const HeadMeasures& head : measured.heads) {
    push(static_cast<double>(head.top_token));
    for_each_estimate(head, [&push](const Estimate& e) {
      push(e.mean);
      push(e.se);
    });
  }
  return numbers;
}

MeasuredHeads measured_heads_from(const std::vector<double>& numbers) {
  std::size_t at = 0;
  const auto next = [&numbers, &at] { return numbers.at(at++); };
  MeasuredHeads measured;
  for_each_share(measured.largest, [&next](double& share) { share = next(); });
  for_each_share(measured.largest_of_source, [&next](double& share) { share = next(); });
  while (at < numbers.size()) {
    HeadMeasures head;
    head.top_token = static_cast<TokenId>(next());
    for_each_estimate(head, [&next](Estimate& e) {
      e.mean = next();
      e.se = next();
    });
    measured.heads.push_back(head);
  }
  return measured;
}

namespace {

constexpr std::uint64_t kRepeatedSeed = 1;
constexpr std::uint32_t kRepeatedStream = 0x72657074;  // "rept": no other use of the seed
constexpr Index kMostInHalf = 32;

Index half_length(Index length, Index symbols) {
  return std::min({length / 2, symbols, kMostInHalf});
}

// Different tokens in random order, twice (Fisher-Yates).
std::vector<TokenId> twice(Random& random, Index half, Index symbols) {
  std::vector<TokenId> tokens(static_cast<std::size_t>(symbols));
  std::iota(tokens.begin(), tokens.end(), TokenId{0});
  for (Index i = 0; i < half; ++i) {
    std::swap(tokens[static_cast<std::size_t>(i)],
              tokens[static_cast<std::size_t>(i + random.below(symbols - i))]);
  }
  tokens.resize(static_cast<std::size_t>(half));
  tokens.reserve(2 * tokens.size());
  std::copy_n(tokens.begin(), half, std::back_inserter(tokens));
  return tokens;
}

}  // namespace

bool can_repeat(const Task& task) {
  const bool source = task.source_length() > 0;
  return task.feature_width() == 0 && half_length(task.length(), task.vocabulary()) >= 2 &&
         (!source || half_length(task.source_length(), task.source_symbols().size()) >= 2);
}

void fill_repeated(const Task& task, Index row, Batch& batch) {
  Random random(kRepeatedSeed, kRepeatedStream, static_cast<std::uint64_t>(row));
  const Index half = half_length(task.length(), task.vocabulary());
  batch.resize(1, 2 * half);
  batch.inputs = twice(random, half, task.vocabulary());
  if (task.source_length() == 0) return batch.resize_sources(0);
  const Index symbols = task.source_symbols().size();
  const Index half_of_source = half_length(task.source_length(), symbols);
  batch.resize_sources(2 * half_of_source);
  batch.sources = twice(random, half_of_source, symbols);
}

}  // namespace tapehead
