#include <benchmark/benchmark.h>

#include "autograd/kernels/gemm.h"
#include "bench/numbers.h"

namespace tapehead {
namespace {

// Counts the floating-point operations of state.range(0..2) = m, n, k and runs one product a time.
template <typename Multiply>
void run(benchmark::State& state, bool transpose_b, const Multiply& multiply) {
  const Index m = state.range(0), n = state.range(1), k = state.range(2);
  const auto a = bench::numbers(m * k), b = bench::numbers(k * n);
  auto c = bench::space(m * n);
  Gemm<float> product{.m = m, .n = n, .k = k};
  product.a = a.data();
  product.lda = k;
  product.b = b.data();
  product.ldb = transpose_b ? k : n;
  product.transpose_b = transpose_b;
  product.c = c.data();
  product.ldc = n;
  for (auto _ : state) {
    multiply(product);
    benchmark::DoNotOptimize(c.data());
    benchmark::ClobberMemory();
  }
  state.counters["FLOP/s"] = benchmark::Counter(2.0 * static_cast<double>(m * n * k),
                                                benchmark::Counter::kIsIterationInvariantRate);
}

void gemm_by_eigen(benchmark::State& state) {
  run(state, false, [](const Gemm<float>& product) { gemm_eigen(product); });
}

void gemm_by_eigen_b_transposed(benchmark::State& state) {
  run(state, true, [](const Gemm<float>& product) { gemm_eigen(product); });
}

void gemm_by_onednn(benchmark::State& state) {
  if (!gemm_has_onednn()) return state.SkipWithError("built without oneDNN");
  run(state, false, [](const Gemm<float>& product) { gemm_onednn(product); });
}

void gemm_by_onednn_b_transposed(benchmark::State& state) {
  if (!gemm_has_onednn()) return state.SkipWithError("built without oneDNN");
  run(state, true, [](const Gemm<float>& product) { gemm_onednn(product); });
}

// The products of one layer of the jobs tiny, toy, nanogpt-cpu and mid, and of one head's scores.
void sizes(benchmark::internal::Benchmark* b) {
  b->ArgNames({"m", "n", "k"});
  b->Args({512, 32, 32})->Args({512, 128, 32});
  b->Args({2048, 64, 64})->Args({2048, 256, 64});
  b->Args({768, 384, 128})->Args({768, 512, 128})->Args({768, 128, 512});
  b->Args({2048, 384, 384})->Args({2048, 1536, 384});
  b->Args({64, 64, 32})->Args({256, 256, 64});
}

BENCHMARK(gemm_by_eigen)->Apply(sizes);
BENCHMARK(gemm_by_eigen_b_transposed)->Apply(sizes);
BENCHMARK(gemm_by_onednn)->Apply(sizes);
BENCHMARK(gemm_by_onednn_b_transposed)->Apply(sizes);

}  // namespace
}  // namespace tapehead
