#pragma once

#include <array>
#include <span>
#include <vector>

#include "base/types.h"

namespace tapehead::kernels {

/// A boolean or an additive part of a mask over (batch, heads, n_q, n_k) scores. A size of 1 is
/// repeated. One of the two pointers is set.
struct MaskTensor {
  const std::uint8_t* allowed = nullptr;
  const double* bias = nullptr;
  std::array<Index, 4> sizes = {1, 1, 1, 1};

  /// First element of the row for (b, h, i).
  Index row_start(Index b, Index h, Index i) const;
  /// Distance between the keys of a row; 0: one is repeated.
  Index key_stride() const { return sizes[3] == 1 ? 0 : 1; }
  bool allows(Index at) const;
};

/// Which keys a query may attend to, on raw memory that somebody else owns; see Mask.
struct AttentionMask {
  bool causal = false;    ///< key j for query i only if j <= i + n_k - n_q
  bool top_left = false;  ///< only if j <= i
  std::span<const std::vector<Index>> key_lengths = {};  ///< each with one length a batch entry
  std::span<const MaskTensor> tensors = {};

  /// Query i of batch entry b sees no key at or after this one.
  Index visible_end(Index b, Index i, Index n_q, Index n_k) const;
  /// True if every tensor allows key j.
  bool allows(Index b, Index h, Index i, Index j) const;
  /// Masks the scores of one query for keys [0, end): adds the additive parts, and sets what is
  /// forbidden to -inf whatever it was.
  template <typename Scalar>
  void apply_row(Index b, Index h, Index i, Index end, Scalar* scores) const;
};

}  // namespace tapehead::kernels
