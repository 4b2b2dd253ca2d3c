#include "autograd/kernels/dropout.h"

#include <array>
#include <cmath>

#include "autograd/random.h"

namespace tapehead::kernels {

template <typename Scalar>
void dropout_mask(const DropoutKey& key, Index first_index, Index n, double p, Scalar* mask) {
  const auto low = [](std::uint64_t x) { return static_cast<std::uint32_t>(x); };
  const auto high = [](std::uint64_t x) { return static_cast<std::uint32_t>(x >> 32); };
  constexpr std::uint64_t kWords = 4;  // random words a Philox block
  const std::array<std::uint32_t, 2> philox_key{low(key.seed), high(key.seed)};
  const auto threshold = static_cast<std::uint64_t>(std::ldexp(p, 32));  // of 2^32 possible words
  const auto kept = static_cast<Scalar>(1.0 / (1.0 - p));

  const auto first = static_cast<std::uint64_t>(first_index);
  const std::uint64_t end = first + static_cast<std::uint64_t>(n);
  for (std::uint64_t block = first / kWords; block * kWords < end; ++block) {
    // A step takes 32 bits and a block 64 of the counter's 128.
    const auto words = philox({low(block), high(block), key.layer_id, low(key.step)}, philox_key);
    for (std::uint64_t w = 0; w < kWords; ++w) {
      const std::uint64_t index = block * kWords + w;
      if (index < first || index >= end) continue;
      mask[index - first] = words[w] < threshold ? Scalar(0) : kept;
    }
  }
}

template void dropout_mask(const DropoutKey&, Index, Index, double, float*);
template void dropout_mask(const DropoutKey&, Index, Index, double, double*);

}  // namespace tapehead::kernels
