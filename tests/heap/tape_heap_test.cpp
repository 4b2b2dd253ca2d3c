// A training loop's steady state must not touch the heap. This program replaces the global
// operator new, and so stands alone.

#include <atomic>
#include <cstdlib>
#include <new>

#include <gtest/gtest.h>

#include "autograd/ops/conv1d.h"
#include "autograd/ops/gelu.h"
#include "autograd/ops/gru.h"
#include "autograd/ops/lstm.h"
#include "autograd/ops/mean.h"
#include "autograd/ops/operators.h"
#include "autograd/ops/permute.h"
#include "autograd/ops/reshape.h"
#include "autograd/ops/rnn.h"
#include "autograd/ops/softmax.h"
#include "autograd/ops/square.h"
#include "autograd/tape.h"

namespace {

std::atomic<long> allocations = 0;

void* counted(void* memory) {
  ++allocations;
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

std::size_t rounded_up(std::size_t size, std::size_t alignment) {
  return (size + alignment - 1) / alignment * alignment;
}

}  // namespace

// Not inlined: GCC would take a free() that it sees alone for a mismatched one.
[[gnu::noinline]] void* operator new(std::size_t size) {
  return counted(std::malloc(size == 0 ? 1 : size));
}
[[gnu::noinline]] void* operator new(std::size_t size, std::align_val_t alignment) {
  const auto bytes = static_cast<std::size_t>(alignment);
  return counted(std::aligned_alloc(bytes, rounded_up(size, bytes)));
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::align_val_t) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  std::free(memory);
}

namespace tapehead {
namespace {

TEST(Heap, IsCounted) {
  const long before = allocations;
  const Tensor<float> x(Shape{1000});
  EXPECT_EQ(allocations - before, 1);
}

TEST(Heap, IsNotTouchedByASteadyLoop) {
  constexpr int kWarmUp = 3;
  constexpr int kPasses = 10;
  ParameterStore<float> store;
  const auto& w = store.add("w", {8, 6}, ParameterKind::kWeight,
                            [](std::span<float> out) { std::fill(out.begin(), out.end(), 0.5F); });
  const auto& b = store.add("b", Shape{6}, ParameterKind::kBias, [](std::span<float>) {});
  const Tensor<float> input = Tensor<float>::full({4, 8, 6}, 0.25F);
  Tape<float> tape;
  tape.bind_gradients(store, store.make_buffer());
  long before = 0;
  for (int pass = 0; pass < kWarmUp + kPasses; ++pass) {
    if (pass == kWarmUp) before = allocations;
    tape.clear();
    const auto x = tape.leaf(input);
    const auto y = gelu(x * tape.parameter(w) + tape.parameter(b));
    const auto heads = permute(reshape(y, {2, 2, 8, 6}), {0, 2, 1, 3});
    const auto z = softmax(heads) / (heads + heads) - 0.5 * heads;
    tape.backward(mean(square(z)));
  }
  EXPECT_EQ(allocations - before, 0);
  EXPECT_GT(before, 0);
}

TEST(Heap, IsNotTouchedBySequenceOps) {
  constexpr int kWarmUp = 3;
  constexpr int kPasses = 10;
  constexpr Index kWidth = 6;
  const auto weight = [](const Shape& shape) { return Tensor<float>::full(shape, 0.1F); };
  const Tensor<float> input = weight({4, 8, kWidth}), state = weight({4, kWidth});
  const Tensor<float> kernel = weight({kWidth, kWidth, 3});
  const Tensor<float> matrices[] = {weight({kWidth, kWidth}), weight({4 * kWidth, kWidth}),
                                    weight({3 * kWidth, kWidth})};
  const Tensor<float> biases[] = {weight({kWidth}), weight({4 * kWidth}), weight({3 * kWidth})};
  Tape<float> tape;
  long before = 0;
  for (int pass = 0; pass < kWarmUp + kPasses; ++pass) {
    if (pass == kWarmUp) before = allocations;
    tape.clear();
    const auto weights = [&](int i) {
      return RecurrentWeights<float>{tape.leaf(matrices[i], true), tape.leaf(matrices[i], true),
                                     tape.leaf(biases[i], true), tape.leaf(biases[i], true)};
    };
    const auto h0 = tape.leaf(state, true);
    auto y = conv1d(tape.leaf(input, true), tape.leaf(kernel, true), Conv1dOptions::causal(3));
    y = rnn(y, h0, weights(0));
    y = lstm(y, h0, h0, weights(1)).output;
    tape.backward(mean(square(gru(y, h0, weights(2)))));
  }
  EXPECT_EQ(allocations - before, 0);
}

}  // namespace
}  // namespace tapehead
