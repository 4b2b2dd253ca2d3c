#include "app/bench/bench_machine.h"

#include <array>
#include <cstring>
#include <vector>

#include "app/bench/bench_timing.h"
#include "autograd/kernels/registers.h"
#include "base/types.h"

namespace tapehead {

namespace {

constexpr double kSeconds = 0.2;  // of each measurement
// Arrays from 16 KB, which the first-level cache holds, to 64 MB, which no cache does.
constexpr std::size_t kLeastBytes = std::size_t{16} << 10;
constexpr std::size_t kMostBytes = std::size_t{64} << 20;
constexpr std::size_t kGrowth = 4;

using Numbers = kernels::Register<float>;
// Enough independent sums to hide the latency of a multiply-add (4 cycles, 2 a cycle), few enough
// to stay in 16 registers.
constexpr std::size_t kSums = 12;
constexpr Index kRounds = 20000;

// Multiply-adds on registers alone. Returns a number, so that none of it is left out.
float multiply_add(float seed) {
  std::array<Numbers, kSums> sums;
  // Different ones: a compiler computes equal sums once.
  for (std::size_t i = 0; i < kSums; ++i) sums[i] = Numbers{} + static_cast<float>(i) * seed;
  const Numbers a = Numbers{} + seed;
  const Numbers b = Numbers{} + 0.5F * seed;
  for (Index i = 0; i < kRounds; ++i) {
    for (Numbers& sum : sums) sum = sum * a + b;
  }
  float result = 0;
  for (const Numbers& sum : sums) result += sum[0];
  return result;
}

double gflops(int threads) {
  constexpr double kFlops =
      2.0 * kRounds * static_cast<double>(kSums * kernels::kRegisterBytes / sizeof(float));
  std::vector<float> results(static_cast<std::size_t>(threads));
  const Timing timing = time_calls(kSeconds, [&] {
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int t = 0; t < threads; ++t) {
      results[static_cast<std::size_t>(t)] = multiply_add(0.5F + 0.1F * static_cast<float>(t));
    }
  });
  return kFlops * threads / (timing.min_ms * 1e6);
}

// `bytes` of each of the two arrays of a thread.
double measure_copy(std::size_t bytes, int threads) {
  std::vector<std::vector<char>> from(static_cast<std::size_t>(threads)), to = from;
  const auto copies = static_cast<int>(kMostBytes / bytes);  // as much a call for every size
#pragma omp parallel for num_threads(threads) schedule(static)
  for (int t = 0; t < threads; ++t) {  // each thread touches its own pages first
    from[static_cast<std::size_t>(t)].assign(bytes, 'x');
    to[static_cast<std::size_t>(t)].assign(bytes, 'y');
  }
  const Timing timing = time_calls(kSeconds, [&] {
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int t = 0; t < threads; ++t) {
      const auto own = static_cast<std::size_t>(t);
      for (int i = 0; i < copies; ++i) {
        from[own][0] = static_cast<char>(i);  // no copy can be left out
        std::memcpy(to[own].data(), from[own].data(), bytes);
      }
    }
  });
  return 2.0 * static_cast<double>(bytes) * copies * threads / (timing.min_ms * 1e6);
}

}  // namespace

double MachineCeilings::copy_gb_s(double bytes) const {
  for (const Copy& copy : copies) {
    if (copy.bytes >= bytes) return copy.gb_s;
  }
  return copies.back().gb_s;
}

MachineCeilings measure_machine(int threads) {
  MachineCeilings m;
  m.threads = threads;
  m.gflops_one_thread = gflops(1);
  m.gflops = gflops(threads);
  for (std::size_t bytes = kLeastBytes; bytes <= kMostBytes; bytes *= kGrowth) {
    m.copies.push_back({2.0 * static_cast<double>(bytes) * threads, measure_copy(bytes, threads)});
  }
  return m;
}

}  // namespace tapehead
