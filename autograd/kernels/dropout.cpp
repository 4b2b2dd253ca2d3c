#include "autograd/kernels/dropout.h"

#include <array>
#include <cmath>

#include "autograd/random.h"

namespace tapehead::kernels {

namespace {

constexpr int kWordBits = 32;
constexpr Index kPerBlock = 4;  // words of one Philox block
// Keeps these numbers apart from those that Random draws from the same seed.
constexpr std::uint32_t kDropoutStream = 0x64726f70;  // "drop"

std::uint32_t low_word(std::uint64_t x) { return static_cast<std::uint32_t>(x); }
std::uint32_t high_word(std::uint64_t x) { return static_cast<std::uint32_t>(x >> kWordBits); }

std::array<std::uint32_t, 4> block_words(const DropoutKey& key, Index block) {
  const auto index = static_cast<std::uint64_t>(block);
  return philox({low_word(index), high_word(index), low_word(key.step), key.layer_id},
                {low_word(key.seed), high_word(key.seed) ^ kDropoutStream});
}

}  // namespace

template <typename Scalar>
void dropout_mask(const DropoutKey& key, Index first_index, Index n, double p, Scalar* mask) {
  // A word is dropped if it lies among the lowest p of all words.
  const auto threshold = static_cast<std::uint32_t>(std::ldexp(p, kWordBits));
  const auto kept = static_cast<Scalar>(1 / (1 - p));
  Index i = 0;
  while (i < n) {
    const Index block = (first_index + i) / kPerBlock;
    const std::array<std::uint32_t, 4> words = block_words(key, block);
    for (Index w = first_index + i - block * kPerBlock; w < kPerBlock && i < n; ++w, ++i) {
      mask[i] = words[static_cast<std::size_t>(w)] < threshold ? Scalar(0) : kept;
    }
  }
}

template void dropout_mask(const DropoutKey&, Index, Index, double, float*);
template void dropout_mask(const DropoutKey&, Index, Index, double, double*);

}  // namespace tapehead::kernels
