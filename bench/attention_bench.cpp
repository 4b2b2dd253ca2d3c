#include <benchmark/benchmark.h>

#include "autograd/kernels/attention.h"
#include "bench/numbers.h"

namespace tapehead {
namespace {

// An attention problem and its memory: state.range(0..3) = batch, time, heads, key/value heads.
struct Problem {
  explicit Problem(const benchmark::State& state)
      : batch(state.range(0)), time(state.range(1)), heads(state.range(2)) {
    const Index kv_heads = state.range(3);
    q = bench::numbers(batch * time * heads * kHeadDim);
    k = bench::numbers(batch * time * kv_heads * kHeadDim);
    v = k;
    weights = bench::space(batch * heads * time * time);
    out = bench::space(batch * time * heads * kHeadDim);
    a.batch = batch;
    a.heads = heads;
    a.kv_heads = kv_heads;
    a.n_q = a.n_k = time;
    a.d_k = a.d_v = kHeadDim;
    a.scale = 1.0 / 8;
    a.mask = {.causal = true};
    a.q = q.data();
    a.k = k.data();
    a.v = v.data();
    scratch = bench::space(a.scratch_size());
  }

  // Of the two products of the forward pass without a mask; the backward pass has twice as much.
  double flops() const { return 4.0 * static_cast<double>(batch * heads * time * time * kHeadDim); }

  static constexpr Index kHeadDim = 32;
  Index batch, time, heads;
  std::vector<float> q, k, v, weights, out, scratch;
  kernels::Attention<float> a;
};

void attention_forward(benchmark::State& state) {
  Problem p(state);
  for (auto _ : state) {
    kernels::attention_forward(p.a, p.weights.data(), p.scratch.data(), p.out.data());
    benchmark::ClobberMemory();
  }
  state.counters["FLOP/s"] =
      benchmark::Counter(p.flops(), benchmark::Counter::kIsIterationInvariantRate);
}

void attention_backward(benchmark::State& state) {
  Problem p(state);
  kernels::attention_forward(p.a, p.weights.data(), p.scratch.data(), p.out.data());
  auto dq = p.q, dk = p.k, dv = p.v;
  for (auto _ : state) {
    kernels::attention_backward(p.a, p.weights.data(), p.out.data(), p.scratch.data(),
                                {.dq = dq.data(), .dk = dk.data()}, dv.data());
    benchmark::ClobberMemory();
  }
  state.counters["FLOP/s"] =
      benchmark::Counter(2 * p.flops(), benchmark::Counter::kIsIterationInvariantRate);
}

void sizes(benchmark::internal::Benchmark* b) {
  b->ArgNames({"batch", "time", "heads", "kv_heads"});
  b->Args({32, 16, 2, 2})->Args({64, 32, 4, 4})->Args({12, 64, 4, 4})->Args({12, 64, 4, 1});
  b->Args({8, 256, 6, 6})->Args({1, 1024, 4, 4});
}

BENCHMARK(attention_forward)->Apply(sizes);
BENCHMARK(attention_backward)->Apply(sizes);

}  // namespace
}  // namespace tapehead
