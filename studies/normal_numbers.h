#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "base/types.h"

namespace tapehead {

/// Standard normal numbers in bulk, about ten times as fast as Random::normal(): a study of
/// saturation draws billions.
///
/// Named by (seed, stream, position) as Random is; the numbers are others, but equal names give
/// equal ones. Box and Muller's (1958) pairs
///
///   r cos(a), r sin(a)    r = sqrt(-2 ln u), a = 2 pi v
///
/// of two words of Philox each, so that none is beyond 6.7 (of 10^11 normal numbers two are).
class NormalNumbers {
 public:
  explicit NormalNumbers(std::uint64_t seed, std::uint32_t stream = 0, std::uint64_t position = 0);

  /// The next x.size() numbers of the stream.
  void fill(std::span<double> x);

 private:
  static constexpr std::size_t kPairs = 512;  // made at a time: their arrays stay in the L1 cache

  void refill();

  std::array<std::uint32_t, 2> key_;
  std::array<std::uint32_t, 4> counter_;
  std::array<double, 2 * kPairs> ready_{};
  std::size_t used_ = ready_.size();
};

}  // namespace tapehead
