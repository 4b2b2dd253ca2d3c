#include "app/bench/bench_attention.h"

#include "app/bench/bench.h"
#include "app/bench/bench_timing.h"
#include "autograd/gradcheck.h"
#include "autograd/ops/attention.h"
#include "autograd/to_float.h"
#include "layers/document_attention.h"
#include "train/build_model.h"
#include "train/generate.h"

namespace tapehead {

namespace {

Tensor<float> numbers(const Shape& shape, std::uint64_t seed) {
  return to_float(randn(shape, seed));
}

AttentionBenchResult result_of(std::string job, Index length, int threads, const Timing& timing) {
  AttentionBenchResult r;
  r.job = std::move(job);
  r.length = length;
  r.median_ms = timing.median_ms;
  r.min_ms = timing.min_ms;
  r.threads = threads;
  r.peak_rss_mb = peak_rss_mb();
  return r;
}

// The documents' sizes; Layer is MHA or MQA.
template <typename Layer>
Timing time_document_layer(int threads, double seconds) {
  constexpr Index kBatch = 10, kQueries = 2, kKeys = 4, kHeads = 8;
  constexpr Index kKeyWidth = 128, kValueWidth = 64, kHeadWidth = 16, kOutWidth = 8;
  ParameterStore<float> store;
  const Layer layer(Builder<float>(store, 1), kHeads, kKeyWidth, kValueWidth, kHeadWidth,
                    kHeadWidth, kOutWidth);
  const Tensor<float> q = numbers({kBatch, kQueries, kKeyWidth}, 1);
  const Tensor<float> k = numbers({kBatch, kKeys, kKeyWidth}, 2);
  const Tensor<float> v = numbers({kBatch, kKeys, kValueWidth}, 3);
  const Tensor<float> upstream = numbers({kBatch, kQueries, kOutWidth}, 4);
  Tensor<float> gradients = store.make_buffer();
  Tape<float> tape;
  tape.bind_gradients(store, gradients);
  tape.context().threads = threads;
  return time_calls(seconds, [&] {
    tape.clear();
    gradients.fill(0.0F);
    const Var<float> y = layer
                             .forward(tape.leaf(q, true), tape.leaf(k, true), tape.leaf(v, true),
                                      Mask::causal_top_left())
                             .output;
    tape.backward(y, upstream);
  });
}

}  // namespace

AttentionBenchResult bench_attention(Index length, int threads, double seconds) {
  constexpr Index kHeads = 8, kHeadWidth = 64;
  const Shape shape{1, length, kHeads * kHeadWidth};
  const Tensor<float> q = numbers(shape, 1), k = numbers(shape, 2), v = numbers(shape, 3);
  const Tensor<float> upstream = numbers(shape, 4);
  AttentionOptions options;
  options.heads = options.kv_heads = kHeads;
  options.mask = Mask::causal();
  Tape<float> tape;
  tape.context().threads = threads;
  const Timing timing = time_calls(seconds, [&] {
    tape.clear();
    tape.backward(attention(tape.leaf(q, true), tape.leaf(k, true), tape.leaf(v, true), options),
                  upstream);
  });
  AttentionBenchResult r = result_of("attention", length, threads, timing);
  // Two products forward and four backward over the pairs (i, j) with j <= i.
  const double pairs = static_cast<double>(length) * static_cast<double>(length + 1) / 2;
  r.gflops = 12 * pairs * kHeads * kHeadWidth / (timing.median_ms * 1e6);
  return r;
}

AttentionBenchResult bench_document_layer(Index kv_heads, int threads, double seconds) {
  constexpr Index kKeys = 4;
  if (kv_heads == 1) {
    return result_of("mqa", kKeys, threads, time_document_layer<MQA<float>>(threads, seconds));
  }
  return result_of("mha", kKeys, threads, time_document_layer<MHA<float>>(threads, seconds));
}

DecodeBenchResult bench_decode(Index tokens, int threads, double seconds) {
  constexpr Index kContext = 1024;
  const BenchJob& job = find_bench_job("nanogpt-cpu");
  const std::unique_ptr<Model> model = build_model(bench_config(job), {job.vocabulary, kContext});
  GenerateOptions options;
  options.tokens = tokens;
  options.temperature = 0;
  const Timing timing =
      time_calls(seconds, [&] { generate(*model->net, {0}, kContext, options, threads); });
  DecodeBenchResult r;
  r.tokens = tokens;
  r.median_ms = timing.median_ms;
  r.min_ms = timing.min_ms;
  r.tokens_per_s = static_cast<double>(tokens) / (timing.median_ms / 1e3);
  r.threads = threads;
  r.peak_rss_mb = peak_rss_mb();
  return r;
}

}  // namespace tapehead
