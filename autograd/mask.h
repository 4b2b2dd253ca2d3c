#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "autograd/kernels/attention_mask.h"
#include "autograd/tensor.h"

namespace tapehead {

/// Which keys a query may attend to, for attention over (batch, heads, n_q, n_k) scores.
///
/// One type for every convention, so that true/false, 0/1 and -inf cannot be mixed up. Masks are
/// combined with `&`: a key is visible where every part allows it, and additive parts add up. The
/// tensors of boolean and additive masks have shape
///
///     (n_q, n_k)   (batch, n_q, n_k)   or   (batch, heads, n_q, n_k)
///
/// in which every size may be 1 and is then repeated. Copying a mask copies a pointer.
class Mask {
 public:
  /// Every query sees every key.
  Mask() = default;
  static Mask none() { return {}; }
  /// Query i sees keys j <= i + (n_k - n_q): aligned to the end, as a KV cache needs it.
  static Mask causal();
  /// Query i sees keys j <= i: aligned to the beginning, as the documents' triu(diagonal=1) with
  /// n_q != n_k. The same as causal() where n_q = n_k.
  static Mask causal_top_left();
  /// Padding: in batch entry b only the first lengths[b] keys exist.
  static Mask key_lengths(std::vector<Index> lengths);
  /// True (not 0) where the query may attend.
  static Mask may_attend(const Tensor<std::uint8_t>& allowed);
  /// True (not 0) where the query must not attend: PyTorch's key_padding_mask and attn_mask.
  static Mask masked_out(const Tensor<std::uint8_t>& forbidden);
  /// Added to the scaled scores; -inf forbids. Not differentiated. Throws ValueError for NaN, +inf.
  template <typename Scalar>
  static Mask additive(const Tensor<Scalar>& bias);
  /// The documents' numbers: 0 forbids, anything else allows.
  template <typename Scalar>
  static Mask zero_is_masked(const Tensor<Scalar>& numbers);

  friend Mask operator&(const Mask& a, const Mask& b);

  /// Throws ShapeError, in the name of `op`, if a part does not fit the scores' shape.
  void check(const char* op, Index batch, Index heads, Index n_q, Index n_k) const;

  /// The same for kernels, in memory that this mask and its copies keep.
  kernels::AttentionMask view() const;
  /// True if some key may be hidden from every query, so that visible_keys() is worth a call.
  bool may_hide_keys() const { return top_left_ || parts_ != nullptr; }
  /// For each key of each batch entry, 1 if some query of some head sees it: shape (batch, n_k).
  Tensor<std::uint8_t> visible_keys(Index batch, Index heads, Index n_q, Index n_k) const;

  /// The mask as numbers, 0 where visible and -inf where not, plus the additive parts:
  /// shape (batch, heads, n_q, n_k).
  template <typename Scalar>
  Tensor<Scalar> dense(Index batch, Index heads, Index n_q, Index n_k) const;

 private:
  // The parts that need memory. The views in `tensors` are of `allowed` and `bias`.
  struct Parts {
    std::vector<std::vector<Index>> lengths;
    std::vector<kernels::MaskTensor> tensors;
    std::vector<Tensor<std::uint8_t>> allowed;
    std::vector<Tensor<double>> bias;
  };
  static Mask of_parts(Parts parts);
  static Mask of_allowed(Tensor<std::uint8_t> allowed);

  bool causal_ = false;
  bool top_left_ = false;
  std::shared_ptr<const Parts> parts_;
};

}  // namespace tapehead
