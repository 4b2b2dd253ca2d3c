#include <benchmark/benchmark.h>

#include "autograd/kernels/activation.h"
#include "autograd/kernels/vector_math.h"
#include "bench/numbers.h"

namespace tapehead {
namespace {

using Forward = void (*)(const float*, float*, Index);
using Backward = void (*)(const float*, const float*, float*, Index);

void forward(benchmark::State& state, Forward function) {
  const Index n = state.range(0);
  const auto x = bench::numbers(n);
  auto y = bench::space(n);
  for (auto _ : state) {
    function(x.data(), y.data(), n);
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * n);
}

void backward(benchmark::State& state, Backward function) {
  const Index n = state.range(0);
  const auto x = bench::numbers(n), dy = bench::numbers(n);
  auto dx = bench::space(n);
  for (auto _ : state) {
    function(x.data(), dy.data(), dx.data(), n);
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * n);
}

// In the L1 cache, in the L2 cache, and beyond.
void sizes(benchmark::internal::Benchmark* b) { b->Arg(2048)->Arg(65536)->Arg(1 << 22); }

BENCHMARK_CAPTURE(forward, exp, kernels::exp<float>)->Apply(sizes);
BENCHMARK_CAPTURE(forward, tanh, kernels::tanh<float>)->Apply(sizes);
BENCHMARK_CAPTURE(forward, sigmoid, kernels::sigmoid<float>)->Apply(sizes);
BENCHMARK_CAPTURE(forward, gelu_exact, kernels::gelu_exact<float>)->Apply(sizes);
BENCHMARK_CAPTURE(forward, gelu_tanh, kernels::gelu_tanh<float>)->Apply(sizes);
BENCHMARK_CAPTURE(forward, silu, kernels::silu<float>)->Apply(sizes);
BENCHMARK_CAPTURE(backward, gelu_exact, kernels::gelu_exact_backward<float>)->Apply(sizes);
BENCHMARK_CAPTURE(backward, gelu_tanh, kernels::gelu_tanh_backward<float>)->Apply(sizes);
BENCHMARK_CAPTURE(backward, silu, kernels::silu_backward<float>)->Apply(sizes);

}  // namespace
}  // namespace tapehead
