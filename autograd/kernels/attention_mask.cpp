#include "autograd/kernels/attention_mask.h"

#include <algorithm>
#include <limits>

namespace tapehead::kernels {

Index MaskTensor::row_start(Index b, Index h, Index i) const {
  const Index at_b = sizes[0] == 1 ? 0 : b;
  const Index at_h = sizes[1] == 1 ? 0 : h;
  const Index at_i = sizes[2] == 1 ? 0 : i;
  return ((at_b * sizes[1] + at_h) * sizes[2] + at_i) * sizes[3];
}

bool MaskTensor::allows(Index at) const {
  return allowed != nullptr ? allowed[at] != 0
                            : bias[at] != -std::numeric_limits<double>::infinity();
}

Index AttentionMask::visible_end(Index b, Index i, Index n_q, Index n_k) const {
  Index end = n_k;
  if (causal) end = std::clamp(i + 1 + n_k - n_q, Index{0}, end);
  if (top_left) end = std::min(end, i + 1);
  for (const auto& lengths : key_lengths) {
    end = std::min(end, lengths[static_cast<std::size_t>(b)]);
  }
  return end;
}

bool AttentionMask::allows(Index b, Index h, Index i, Index j) const {
  return std::all_of(tensors.begin(), tensors.end(), [=](const MaskTensor& part) {
    return part.allows(part.row_start(b, h, i) + j * part.key_stride());
  });
}

template <typename Scalar>
void AttentionMask::apply_row(Index b, Index h, Index i, Index end, Scalar* scores) const {
  for (const MaskTensor& part : tensors) {
    const Index start = part.row_start(b, h, i);
    const Index stride = part.key_stride();
    for (Index j = 0; j < end; ++j) {
      const Index at = start + j * stride;
      if (!part.allows(at)) {
        scores[j] = -std::numeric_limits<Scalar>::infinity();
      } else if (part.bias != nullptr) {
        scores[j] += static_cast<Scalar>(part.bias[at]);
      }
    }
  }
}

template void AttentionMask::apply_row(Index, Index, Index, Index, float*) const;
template void AttentionMask::apply_row(Index, Index, Index, Index, double*) const;

}  // namespace tapehead::kernels
