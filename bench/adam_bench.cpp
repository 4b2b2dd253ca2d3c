#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>

#include "optim/adam.h"

namespace tapehead {
namespace {

// One update of state.range(0) parameters on state.range(1) threads.
void adamw_step(benchmark::State& state) {
  const Index n = state.range(0);
  const int threads = static_cast<int>(state.range(1));
  ParameterStore<float> store;
  store.add("weight", {n}, ParameterKind::kWeight,
            [](std::span<float> w) { std::ranges::fill(w, 0.5F); });
  Adam<float> adam(store, {.weight_decay = 0.1, .decoupled = true});
  const auto values = store.values();
  auto gradients = store.make_buffer();
  std::ranges::fill(gradients.values(), 0.01F);
  for (auto _ : state) {
    adam.step(values, gradients, 1e-3, 1.0, threads);
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * n);
}

BENCHMARK(adamw_step)
    ->ArgNames({"n", "threads"})
    ->ArgsProduct({{10000, 1000000, 10000000}, {1, 2}});

}  // namespace
}  // namespace tapehead
