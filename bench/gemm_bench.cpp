#include <benchmark/benchmark.h>

#include "autograd/kernels/gemm.h"
#include "autograd/kernels/gemm_tiles.h"
#include "bench/numbers.h"

namespace tapehead {
namespace {

struct Transposed {
  bool a = false, b = false;
};

// Counts the floating-point operations of state.range(0..2) = m, n, k and runs one product a time.
template <typename Multiply>
void run(benchmark::State& state, Transposed transposed, const Multiply& multiply) {
  const Index m = state.range(0), n = state.range(1), k = state.range(2);
  const auto a = bench::numbers(m * k), b = bench::numbers(k * n);
  auto c = bench::space(m * n);
  Gemm<float> product{.m = m, .n = n, .k = k};
  product.a = a.data();
  product.lda = transposed.a ? m : k;
  product.transpose_a = transposed.a;
  product.b = b.data();
  product.ldb = transposed.b ? k : n;
  product.transpose_b = transposed.b;
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

void tiles(benchmark::State& state) {
  run(state, {}, [](const Gemm<float>& product) { kernels::gemm_tiles(product); });
}

void tiles_b_transposed(benchmark::State& state) {
  run(state, {.b = true}, [](const Gemm<float>& product) { kernels::gemm_tiles(product); });
}

void tiles_a_transposed(benchmark::State& state) {
  run(state, {.a = true}, [](const Gemm<float>& product) { kernels::gemm_tiles(product); });
}

void eigen(benchmark::State& state) {
  run(state, {}, [](const Gemm<float>& product) { gemm_eigen(product); });
}

void eigen_b_transposed(benchmark::State& state) {
  run(state, {.b = true}, [](const Gemm<float>& product) { gemm_eigen(product); });
}

void eigen_a_transposed(benchmark::State& state) {
  run(state, {.a = true}, [](const Gemm<float>& product) { gemm_eigen(product); });
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

BENCHMARK(tiles)->Apply(sizes);
BENCHMARK(tiles_b_transposed)->Apply(sizes);
BENCHMARK(tiles_a_transposed)->Apply(sizes);
BENCHMARK(eigen)->Apply(sizes);
BENCHMARK(eigen_b_transposed)->Apply(sizes);
BENCHMARK(eigen_a_transposed)->Apply(sizes);

}  // namespace
}  // namespace tapehead
