#include "studies/normal_numbers.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "autograd/kernels/vector_math.h"
#include "base/random.h"

namespace tapehead {

namespace {

// sin and cos for |a| <= pi/4 by their Taylor series to a^13 and a^14; the next terms are below
// 1e-13. Plain products and sums, which the compiler turns into vector instructions.
double sine(double a) {
  const double t = a * a;
  return a * (1 + t * (-1.0 / 6 +
                       t * (1.0 / 120 +
                            t * (-1.0 / 5040 +
                                 t * (1.0 / 362880 + t * (-1.0 / 39916800 + t / 6227020800.0))))));
}
double cosine(double a) {
  const double t = a * a;
  return 1 + t * (-0.5 +
                  t * (1.0 / 24 +
                       t * (-1.0 / 720 +
                            t * (1.0 / 40320 + t * (-1.0 / 3628800 +
                                                    t * (1.0 / 479001600 - t / 87178291200.0))))));
}

}  // namespace

NormalNumbers::NormalNumbers(std::uint64_t seed, std::uint32_t stream, std::uint64_t position)
    : key_{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)},
      counter_{0, stream, static_cast<std::uint32_t>(position),
               static_cast<std::uint32_t>(position >> 32)} {}

void NormalNumbers::refill() {
  std::array<std::uint32_t, 2 * kPairs> words;
  for (std::size_t i = 0; i < words.size(); i += 4) {
    const auto block = philox(counter_, key_);
    std::ranges::copy(block, words.begin() + static_cast<std::ptrdiff_t>(i));
    // The first word counts the blocks of a position and must not come round.
    if (++counter_[0] == 0) ++key_[1];
  }
  constexpr double kWords = 4294967296.0, kQuarters = 1073741824.0;  // 2^32, 2^30
  std::array<double, kPairs> radius;
  for (std::size_t i = 0; i < kPairs; ++i) radius[i] = (words[i] + 0.5) / kWords;
  kernels::log(radius.data(), radius.data(), static_cast<Index>(kPairs));
  for (double& r : radius) r *= -2;
  kernels::sqrt(radius.data(), radius.data(), static_cast<Index>(kPairs));
  for (std::size_t i = 0; i < kPairs; ++i) {
    // 30 bits for an angle within +-pi/4, two for the quarter that it is turned to.
    const std::uint32_t word = words[kPairs + i];
    const double angle =
        ((word & 0x3fffffffU) + 0.5) * (std::numbers::pi / 2 / kQuarters) - std::numbers::pi / 4;
    const double c = radius[i] * cosine(angle), s = radius[i] * sine(angle);
    const double x = (word & 0x40000000U) != 0 ? s : c;
    const double y = (word & 0x40000000U) != 0 ? c : s;
    ready_[i] = (word & 0x80000000U) != 0 ? -x : x;
    ready_[kPairs + i] = (word & 0x80000000U) != 0 ? -y : y;
  }
  used_ = 0;
}

void NormalNumbers::fill(std::span<double> x) {
  while (!x.empty()) {
    if (used_ == ready_.size()) refill();
    const std::size_t count = std::min(x.size(), ready_.size() - used_);
    std::copy_n(ready_.begin() + static_cast<std::ptrdiff_t>(used_), count, x.begin());
    used_ += count;
    x = x.subspan(count);
  }
}

}  // namespace tapehead
