#include "autograd/kernels/dropout.h"

#include <algorithm>
#include <cmath>

#include <Random123/philox.h>

namespace tapehead::kernels {

namespace {

constexpr int kWordBits = 32;
constexpr Index kPerBlock = 4;  // words of one Philox block
constexpr Index kBlocksAtOnce = 32;
// Keeps these numbers apart from those that Random draws from the same seed.
constexpr std::uint32_t kDropoutStream = 0x64726f70;  // "drop"

using Philox = r123::Philox4x32;

std::uint32_t low_word(std::uint64_t x) { return static_cast<std::uint32_t>(x); }
std::uint32_t high_word(std::uint64_t x) { return static_cast<std::uint32_t>(x >> kWordBits); }

// The words of the blocks [first, first + count). Philox is called here and not through
// base/random.h: inlined, it takes a quarter of the time.
void block_words(const DropoutKey& key, Index first, Index count, std::uint32_t* words) {
  const Philox::key_type philox_key = {{low_word(key.seed), high_word(key.seed) ^ kDropoutStream}};
  for (Index b = 0; b < count; ++b) {
    const auto index = static_cast<std::uint64_t>(first + b);
    const Philox::ctr_type counter = {
        {low_word(index), high_word(index), low_word(key.step), key.layer_id}};
    const Philox::ctr_type result = Philox{}(counter, philox_key);
    for (std::size_t w = 0; w < kPerBlock; ++w)
      words[b * kPerBlock + static_cast<Index>(w)] = result[w];
  }
}

}  // namespace

template <typename Scalar>
void dropout_mask(const DropoutKey& key, Index first_index, Index n, double p, Scalar* mask) {
  // A word is dropped if it lies among the lowest p of all words.
  const auto threshold = static_cast<std::uint32_t>(std::ldexp(p, kWordBits));
  const auto kept = static_cast<Scalar>(1 / (1 - p));
  std::uint32_t words[kBlocksAtOnce * kPerBlock];
  const Index end = first_index + n;
  for (Index block = first_index / kPerBlock; block * kPerBlock < end; block += kBlocksAtOnce) {
    const Index begin = block * kPerBlock;  // of these blocks; may lie before first_index
    const Index blocks = std::min(kBlocksAtOnce, (end - begin + kPerBlock - 1) / kPerBlock);
    block_words(key, block, blocks, words);
    const Index from = std::max(begin, first_index);
    const Index to = std::min(begin + blocks * kPerBlock, end);
    Scalar* __restrict out = mask + (from - first_index);
    const std::uint32_t* __restrict in = words + (from - begin);
    for (Index i = 0; i < to - from; ++i) out[i] = in[i] < threshold ? Scalar(0) : kept;
  }
}

template void dropout_mask(const DropoutKey&, Index, Index, double, float*);
template void dropout_mask(const DropoutKey&, Index, Index, double, double*);

}  // namespace tapehead::kernels
