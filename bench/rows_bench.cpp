#include <benchmark/benchmark.h>

#include "autograd/kernels/normalize.h"
#include "autograd/kernels/softmax.h"
#include "bench/numbers.h"

// Kernels that take one row at a time: softmax and the norms, over kRows rows of state.range(0).
namespace tapehead {
namespace {

constexpr Index kRows = 512;

// Calls row(first element) for every row, and counts the numbers.
template <typename Row>
void run(benchmark::State& state, const Row& row) {
  const Index n = state.range(0);
  for (auto _ : state) {
    for (Index r = 0; r < kRows; ++r) row(r * n);
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * kRows * n);
}

void softmax_forward(benchmark::State& state) {
  const Index n = state.range(0);
  const auto x = bench::numbers(kRows * n);
  auto y = bench::space(kRows * n);
  run(state, [&](Index at) { kernels::softmax(x.data() + at, y.data() + at, n); });
}

void softmax_backward(benchmark::State& state) {
  const Index n = state.range(0);
  const auto y = bench::numbers(kRows * n), dy = bench::numbers(kRows * n);
  auto dx = bench::space(kRows * n);
  run(state, [&](Index at) {
    kernels::softmax_backward(y.data() + at, dy.data() + at, dx.data() + at, n);
  });
}

void layer_norm_forward(benchmark::State& state) {
  const Index n = state.range(0);
  const auto x = bench::numbers(kRows * n), w = bench::numbers(n), b = bench::numbers(n);
  auto y = bench::space(kRows * n);
  float mean = 0, rstd = 0;
  run(state, [&](Index at) {
    kernels::layer_norm(x.data() + at, w.data(), b.data(), 1e-5F, n, y.data() + at, &mean, &rstd);
  });
}

void layer_norm_backward(benchmark::State& state) {
  const Index n = state.range(0);
  const auto x = bench::numbers(kRows * n), w = bench::numbers(n), dy = bench::numbers(kRows * n);
  auto dx = bench::space(kRows * n);
  run(state, [&](Index at) {
    kernels::layer_norm_backward(x.data() + at, w.data(), dy.data() + at, 0.0F, 0.5F, n,
                                 dx.data() + at);
  });
}

void rms_norm_forward(benchmark::State& state) {
  const Index n = state.range(0);
  const auto x = bench::numbers(kRows * n), w = bench::numbers(n);
  auto y = bench::space(kRows * n);
  float rstd = 0;
  run(state, [&](Index at) {
    kernels::rms_norm(x.data() + at, w.data(), 1e-5F, n, y.data() + at, &rstd);
  });
}

void widths(benchmark::internal::Benchmark* b) {
  b->ArgName("n")->Arg(16)->Arg(32)->Arg(64)->Arg(65)->Arg(128)->Arg(256)->Arg(384);
}

BENCHMARK(softmax_forward)->Apply(widths);
BENCHMARK(softmax_backward)->Apply(widths);
BENCHMARK(layer_norm_forward)->Apply(widths);
BENCHMARK(layer_norm_backward)->Apply(widths);
BENCHMARK(rms_norm_forward)->Apply(widths);

}  // namespace
}  // namespace tapehead
