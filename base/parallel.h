#pragma once

#include <algorithm>

#include "base/denormals.h"
#include "base/types.h"

namespace tapehead {

/// Elements that a thread takes at a time from an elementwise op: long enough to pay for handing
/// the chunk out, short enough to leave work for every thread.
inline constexpr Index kElementsPerChunk = 8192;

/// Multiply-adds that a thread takes at a time, likewise: about ten microseconds.
inline constexpr Index kMultiplyAddsPerChunk = Index{1} << 20;

/// How many units of so many multiply-adds each make a chunk.
inline Index units_per_chunk(Index multiply_adds) {
  return std::max(Index{1}, kMultiplyAddsPerChunk / std::max(Index{1}, multiply_adds));
}

/// Calls body(begin, end) for consecutive chunks of [0, n) of a fixed size, on up to `threads`
/// threads. The chunks do not depend on the number of threads, so neither do the bits of a result
/// whose outputs are split this way. The threads treat denormal numbers as the caller does.
template <typename Body>
void parallel_chunks(int threads, Index n, Index chunk, const Body& body) {
  const Index chunks = (n + chunk - 1) / chunk;
  if (threads <= 1 || chunks <= 1) {
    for (Index c = 0; c < chunks; ++c) body(c * chunk, std::min(n, (c + 1) * chunk));
    return;
  }
  const std::uint64_t mode = floating_point_mode();
#pragma omp parallel num_threads(threads)
  {
    const FloatingPointMode as_the_caller(mode);
#pragma omp for schedule(static)
    for (Index c = 0; c < chunks; ++c) body(c * chunk, std::min(n, (c + 1) * chunk));
  }
}

}  // namespace tapehead
