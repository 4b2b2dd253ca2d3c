#include "base/random.h"

#include <cmath>
#include <numbers>

#include <Random123/philox.h>
#include <fmt/format.h>

#include "base/error.h"

namespace tapehead {

std::array<std::uint32_t, 4> philox(const std::array<std::uint32_t, 4>& counter,
                                    const std::array<std::uint32_t, 2>& key) {
  const r123::Philox4x32::ctr_type c{{counter[0], counter[1], counter[2], counter[3]}};
  const r123::Philox4x32::key_type k{{key[0], key[1]}};
  const auto r = r123::Philox4x32{}(c, k);
  return {r[0], r[1], r[2], r[3]};
}

namespace {
std::uint32_t low_word(std::uint64_t x) { return static_cast<std::uint32_t>(x); }
std::uint32_t high_word(std::uint64_t x) { return static_cast<std::uint32_t>(x >> 32); }
}  // namespace

Random::Random(std::uint64_t seed, std::uint32_t stream, std::uint64_t position)
    : key_{low_word(seed), high_word(seed)},
      counter_{0, stream, low_word(position), high_word(position)} {}

std::uint32_t Random::next_u32() {
  if (used_ == 4) {
    block_ = philox(counter_, key_);
    ++counter_[0];
    used_ = 0;
  }
  return block_[static_cast<std::size_t>(used_++)];
}

std::uint64_t Random::next_u64() {
  const std::uint64_t low = next_u32();
  return low | (std::uint64_t{next_u32()} << 32);
}

double Random::uniform() {
  constexpr int kMantissaBits = 53;
  return std::ldexp(static_cast<double>(next_u64() >> (64 - kMantissaBits)), -kMantissaBits);
}

double Random::normal() {
  const double u = 1.0 - uniform();  // in (0, 1]: its logarithm is finite
  const double angle = 2.0 * std::numbers::pi * uniform();
  return std::sqrt(-2.0 * std::log(u)) * std::cos(angle);
}

Index Random::below(Index n) {
  if (n <= 0) throw ValueError(fmt::format("random: below({}) needs a positive bound", n));
  const auto bound = static_cast<std::uint64_t>(n);
  // The largest multiple of `bound` that fits; what lies above it would favour small results.
  const std::uint64_t limit = UINT64_MAX - UINT64_MAX % bound;
  std::uint64_t x = next_u64();
  while (x >= limit) x = next_u64();
  return static_cast<Index>(x % bound);
}

}  // namespace tapehead
