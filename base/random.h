#pragma once

#include <array>
#include <cstdint>

#include "base/types.h"

namespace tapehead {

/// A stream of random numbers from Random123's counter-based Philox4x32-10 generator.
///
/// A stream is named by (seed, stream, position); equal names give equal numbers on every machine
/// that computes log, cos and sqrt alike. There is no global generator: whoever needs random
/// numbers is given one of these, or makes one whose name says what it is for.
class Random {
 public:
  /// `stream` separates uses of one seed (initialisation, batches, ...), `position` the items of
  /// one use (the training step, say), so that item n can be drawn without drawing those before it.
  explicit Random(std::uint64_t seed, std::uint32_t stream = 0, std::uint64_t position = 0);

  std::uint32_t next_u32();
  std::uint64_t next_u64();
  /// Uniform in [0, 1), a multiple of 2^-53.
  double uniform();
  double uniform(double low, double high) { return low + (high - low) * uniform(); }
  /// Standard normal (Box-Muller).
  double normal();
  /// Uniform in [0, n), without bias. Throws ValueError unless n > 0.
  Index below(Index n);

 private:
  std::array<std::uint32_t, 2> key_;
  std::array<std::uint32_t, 4> counter_;
  std::array<std::uint32_t, 4> block_{};
  int used_ = 4;  // numbers of block_ already handed out
};

/// One block of Philox4x32-10: four random words for a 128-bit counter under a 64-bit key.
std::array<std::uint32_t, 4> philox(const std::array<std::uint32_t, 4>& counter,
                                    const std::array<std::uint32_t, 2>& key);

}  // namespace tapehead
