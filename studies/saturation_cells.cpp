#include "studies/saturation_cells.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include <fmt/format.h>

#include "autograd/ops/layer_norm.h"
#include "autograd/ops/linear.h"
#include "base/denormals.h"
#include "base/random.h"
#include "layers/builder.h"
#include "studies/normal_numbers.h"

namespace tapehead {

namespace {

// Streams of the seed's random numbers; the position is that of the cell, or of its row.
constexpr std::uint32_t kNumbersStream = 101, kLabelsStream = 102;

// Numbers of the keys that are drawn at a time: 1 MiB of doubles, about a core's cache.
constexpr Index kKeysAtATime = Index{1} << 17;
constexpr Index kMostRowsAtATime = 256;

std::uint64_t position_of(Index a, Index b, Index c = 0) {
  return static_cast<std::uint64_t>((a << 40) | (b << 16) | c);
}

// Random inputs of one cell by one seed.
class CellSampler {
 public:
  CellSampler(Index seed, std::uint64_t position)
      : numbers_(static_cast<std::uint64_t>(seed), kNumbersStream, position),
        labels_(static_cast<std::uint64_t>(seed), kLabelsStream, position) {}

  Tensor<double> normal(Tape<double>& tape, const Shape& shape) {
    Tensor<double> x = tape.allocate(shape);
    numbers_.fill(x.values());
    return x;
  }
  std::vector<double> normal(Index count) {
    std::vector<double> x(static_cast<std::size_t>(count));
    numbers_.fill(x);
    return x;
  }
  TokenTensor labels(Index rows, Index n) {
    TokenTensor y({rows});
    for (TokenId& label : y.values()) label = static_cast<TokenId>(labels_.below(n));
    return y;
  }

 private:
  NormalNumbers numbers_;
  Random labels_;
};

// Calls measure(sampler, count) for all rows of a cell, at most so many at a time. Denormal
// numbers count as zero, as they do in training. Throws StudyInterrupted if the study is to stop.
template <typename Measure>
void for_each_chunk(Index rows, Index at_a_time, std::uint64_t position,
                    const std::function<bool()>& stop_requested, const Measure& measure) {
  const FlushDenormals flush;
  const auto seeds = static_cast<Index>(kSaturationSeeds.size());
  for (const Index seed : kSaturationSeeds) {
    CellSampler sampler(seed, position);
    for (Index left = rows / seeds; left > 0; left -= std::min(left, at_a_time)) {
      if (stop_requested()) throw StudyInterrupted();
      measure(sampler, std::min(left, at_a_time));
    }
  }
}

Tensor<float> rounded(Tape<float>& tape, const Tensor<double>& x) {
  Tensor<float> y = tape.allocate(x.shape());
  std::ranges::transform(x.values(), y.data(), [](double v) { return static_cast<float>(v); });
  return y;
}

std::vector<double> summaries(std::span<const SoftmaxRows> parts) {
  std::vector<double> numbers;
  for (const SoftmaxRows& part : parts) {
    const std::vector<double> more = part.summary();
    numbers.insert(numbers.end(), more.begin(), more.end());
  }
  return numbers;
}

double inv_sqrt(Index d) { return 1 / std::sqrt(static_cast<double>(d)); }

struct HeadWidth {
  Index d = 0;
  double dot_variance = 0;
};

// A chunk of rows in one precision, without and with the scale.
template <typename Scalar>
void measure_both(Tape<Scalar>& tape, const Tensor<Scalar>& q, const Tensor<Scalar>& k,
                  const HeadWidth& width, std::span<const double> u, const TokenTensor& labels,
                  std::span<SoftmaxRows> parts) {
  for (const std::size_t with_scale : {0U, 1U}) {
    tape.clear();
    measure_rows<Scalar>({tape.leaf(q, true), tape.leaf(k),
                          with_scale == 1 ? inv_sqrt(width.d) : 1.0, width.dot_variance, u, labels},
                         parts[with_scale]);
  }
}

std::vector<double> compute_unit(const UnitCell& c, const std::function<bool()>& stop_requested) {
  Tape<double> tape;
  Tape<float> float_tape;
  std::array<SoftmaxRows, 4> parts;
  const HeadWidth width{c.d, static_cast<double>(c.d)};
  const Index at_a_time = std::clamp(kKeysAtATime / (c.n * c.d), Index{1}, kMostRowsAtATime);
  for_each_chunk(c.rows, at_a_time, position_of(c.n, c.d), stop_requested,
                 [&](CellSampler& sampler, Index rows) {
                   const Tensor<double> q = sampler.normal(tape, {1, 1, rows * c.d});
                   const Tensor<double> k = sampler.normal(tape, {1, c.n, rows * c.d});
                   const std::vector<double> u = sampler.normal(rows * c.n);
                   const TokenTensor labels = sampler.labels(rows, c.n);
                   measure_both<double>(tape, q, k, width, u, labels, std::span(parts).first(2));
                   measure_both<float>(float_tape, rounded(float_tape, q), rounded(float_tape, k),
                                       width, u, labels, std::span(parts).last(2));
                 });
  return summaries(parts);
}

std::vector<double> compute_curve(const CurveCell& c, const std::function<bool()>& stop_requested) {
  constexpr double kThousandths = 1000;
  const std::uint64_t position = position_of(c.n, std::lround(c.s * kThousandths), 1);
  Tape<double> tape;
  std::array<SoftmaxRows, 1> measured;
  for_each_chunk(
      c.rows, kMostRowsAtATime, position, stop_requested, [&](CellSampler& sampler, Index rows) {
        tape.clear();
        Tensor<double> q = tape.allocate({1, 1, rows});
        q.fill(c.s);
        const Tensor<double> k = sampler.normal(tape, {1, c.n, rows});
        const std::vector<double> u = sampler.normal(rows * c.n);
        measure_rows<double>(
            {tape.leaf(q, true), tape.leaf(k), 1.0, c.s * c.s, u, sampler.labels(rows, c.n)},
            measured[0]);
      });
  return summaries(measured);
}

InitOptions init_options_of(const InitCell& c) {
  InitOptions init;
  init.scheme = InitOptions::Scheme::kPytorch;
  if (c.init == "pytorch" || c.init == "xavier") return init;
  init.scheme = InitOptions::Scheme::kNormal;
  if (c.init == "unit") init.std = inv_sqrt(c.width);
  return init;  // else GPT-2's 0.02
}

// x W^T of n normalised rows x (1, n, width).
Tensor<double> project(CellSampler& sampler, Tape<double>& tape, const Tensor<double>& weight,
                       double gain, Index n) {
  const Index width = weight.dim(1);
  Tensor<double> ones = tape.allocate({width});
  ones.fill(gain);
  const Var<double> x = tape.leaf(sampler.normal(tape, {1, n, width}));
  return linear(layer_norm(x, tape.leaf(ones)), tape.leaf(weight)).value();
}

std::vector<double> compute_init(const InitCell& c, const std::function<bool()>& stop_requested) {
  Tape<double> tape;
  std::array<SoftmaxRows, 2> parts;
  const double v = c.variance();
  const HeadWidth width{c.d, v * v * static_cast<double>(c.d)};
  // Xavier's bound sqrt(6 / (width + 3 width)) is sqrt(1.5) times nn.Linear's 1 / sqrt(width).
  const double gain = c.init == "xavier" ? std::sqrt(1.5) : 1.0;
  std::uint64_t row = 0;
  for_each_chunk(c.rows, 1, position_of(c.width, c.d, 2), stop_requested,
                 [&](CellSampler& sampler, Index) {
                   tape.clear();
                   ParameterStore<double> store;
                   const Builder<double> at(store, row++, init_options_of(c));
                   const Parameter<double>& w_q = at.linear_weight("w_q", c.d, c.width);
                   const Parameter<double>& w_k = at.linear_weight("w_k", c.d, c.width);
                   const Tensor<double> q = project(sampler, tape, w_q.value(), gain, 1);
                   const Tensor<double> k = project(sampler, tape, w_k.value(), gain, c.n);
                   const std::vector<double> u = sampler.normal(c.n);
                   measure_both<double>(tape, q, k, width, u, sampler.labels(1, c.n), parts);
                 });
  return summaries(parts);
}

}  // namespace

StudyCell unit_cell(const UnitCell& cell, const std::function<bool()>& stop_requested) {
  return {fmt::format("unit n={} d_k={} rows={}", cell.n, cell.d, cell.rows),
          [cell, &stop_requested](int) { return compute_unit(cell, stop_requested); }};
}

StudyCell curve_cell(const CurveCell& cell, const std::function<bool()>& stop_requested) {
  return {fmt::format("curve n={} s={} rows={}", cell.n, cell.s, cell.rows),
          [cell, &stop_requested](int) { return compute_curve(cell, stop_requested); }};
}

StudyCell init_cell(const InitCell& cell, const std::function<bool()>& stop_requested) {
  return {fmt::format("init={} width={} n={} d_k={} rows={}", cell.init, cell.width, cell.n, cell.d,
                      cell.rows),
          [cell, &stop_requested](int) { return compute_init(cell, stop_requested); }};
}

SoftmaxSummary summary_of(const std::vector<double>& numbers, std::size_t part) {
  return SoftmaxSummary(std::span<const double>(numbers).subspan(part * SoftmaxSummary::kSize,
                                                                 SoftmaxSummary::kSize));
}

double InitCell::variance() const {
  const auto inputs = static_cast<double>(width);
  if (init == "unit") return 1;
  if (init == "xavier") return 0.5;
  if (init == "pytorch") return 1.0 / 3;
  constexpr double kStd = 0.02;
  return inputs * kStd * kStd;
}

}  // namespace tapehead
