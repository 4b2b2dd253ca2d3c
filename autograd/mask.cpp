#include "autograd/mask.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "autograd/check.h"
#include "base/error.h"

namespace tapehead {

namespace {

template <typename Scalar>
constexpr Scalar kMinusInf = -std::numeric_limits<Scalar>::infinity();

// (n_q, n_k) and (batch, n_q, n_k) as (batch, heads, n_q, n_k).
Shape to_rank_four(const Shape& shape) {
  if (shape.rank() == 2) return {1, 1, shape[0], shape[1]};
  if (shape.rank() == 3) return {shape[0], 1, shape[1], shape[2]};
  if (shape.rank() == 4) return shape;
  throw ShapeError(fmt::format(
      "mask: shape {} of rank {}; it must be (n_q, n_k), (batch, n_q, n_k) or (batch, heads, n_q, "
      "n_k)",
      shape.str(), shape.rank()));
}

template <typename From>
Tensor<std::uint8_t> as_allowed(const Tensor<From>& numbers, bool nonzero_allows) {
  Tensor<std::uint8_t> allowed(to_rank_four(numbers.shape()));
  std::transform(numbers.values().begin(), numbers.values().end(), allowed.values().begin(),
                 [=](From x) { return (x != From(0)) == nonzero_allows ? 1 : 0; });
  return allowed;
}

std::array<Index, 4> sizes_of(const Shape& shape) {
  return {shape[0], shape[1], shape[2], shape[3]};
}

template <typename T>
void append(std::vector<T>& to, const std::vector<T>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

}  // namespace

Mask Mask::causal() {
  Mask mask;
  mask.causal_ = true;
  return mask;
}

Mask Mask::causal_top_left() {
  Mask mask;
  mask.top_left_ = true;
  return mask;
}

Mask Mask::key_lengths(std::vector<Index> lengths) {
  for (std::size_t b = 0; b < lengths.size(); ++b) {
    if (lengths[b] < 0) {
      throw ValueError(
          fmt::format("mask: key length {} of batch entry {} is negative", lengths[b], b));
    }
  }
  Parts parts;
  parts.lengths.push_back(std::move(lengths));
  return of_parts(std::move(parts));
}

Mask Mask::of_parts(Parts parts) {
  Mask mask;
  mask.parts_ = std::make_shared<const Parts>(std::move(parts));
  return mask;
}

Mask Mask::of_allowed(Tensor<std::uint8_t> allowed) {
  Parts parts;
  parts.tensors.push_back({.allowed = allowed.data(), .sizes = sizes_of(allowed.shape())});
  parts.allowed.push_back(std::move(allowed));
  return of_parts(std::move(parts));
}

Mask Mask::may_attend(const Tensor<std::uint8_t>& allowed) {
  return of_allowed(as_allowed(allowed, true));
}

Mask Mask::masked_out(const Tensor<std::uint8_t>& forbidden) {
  return of_allowed(as_allowed(forbidden, false));
}

template <typename Scalar>
Mask Mask::zero_is_masked(const Tensor<Scalar>& numbers) {
  return of_allowed(as_allowed(numbers, true));
}

template <typename Scalar>
Mask Mask::additive(const Tensor<Scalar>& bias) {
  Tensor<double> numbers(to_rank_four(bias.shape()));
  for (Index i = 0; i < bias.size(); ++i) {
    numbers[i] = static_cast<double>(bias[i]);
    if (std::isnan(numbers[i]) || numbers[i] == std::numeric_limits<double>::infinity()) {
      throw ValueError(
          fmt::format("mask: the additive mask holds {} at {}; it may hold finite numbers and -inf",
                      bias[i], position_str(bias.shape(), i)));
    }
  }
  Parts parts;
  parts.tensors.push_back({.bias = numbers.data(), .sizes = sizes_of(numbers.shape())});
  parts.bias.push_back(std::move(numbers));
  return of_parts(std::move(parts));
}

Mask operator&(const Mask& a, const Mask& b) {
  Mask both;
  both.causal_ = a.causal_ || b.causal_;
  both.top_left_ = a.top_left_ || b.top_left_;
  if (a.parts_ == nullptr || b.parts_ == nullptr) {
    both.parts_ = a.parts_ != nullptr ? a.parts_ : b.parts_;
    return both;
  }
  Mask::Parts parts = *a.parts_;
  append(parts.lengths, b.parts_->lengths);
  append(parts.tensors, b.parts_->tensors);
  append(parts.allowed, b.parts_->allowed);
  append(parts.bias, b.parts_->bias);
  both.parts_ = Mask::of_parts(std::move(parts)).parts_;
  return both;
}

kernels::AttentionMask Mask::view() const {
  kernels::AttentionMask view{.causal = causal_, .top_left = top_left_};
  if (parts_ != nullptr) {
    view.key_lengths = parts_->lengths;
    view.tensors = parts_->tensors;
  }
  return view;
}

void Mask::check(const char* op, Index batch, Index heads, Index n_q, Index n_k) const {
  if (parts_ == nullptr) return;
  for (const auto& lengths : parts_->lengths) {
    if (static_cast<Index>(lengths.size()) != batch) {
      throw ShapeError(
          fmt::format("{}: the mask has key lengths for {} batch entries, the input {}", op,
                      lengths.size(), batch));
    }
    for (const Index n : lengths) {
      if (n > n_k) {
        throw ShapeError(
            fmt::format("{}: the mask has a key length of {}, but there are {} keys", op, n, n_k));
      }
    }
  }
  const Shape scores{batch, heads, n_q, n_k};
  for (const kernels::MaskTensor& part : parts_->tensors) {
    for (int axis = 0; axis < 4; ++axis) {
      const Index size = part.sizes[static_cast<std::size_t>(axis)];
      if (size != 1 && size != scores[axis]) {
        throw ShapeError(fmt::format(
            "{}: the mask has shape {}, the scores (batch, heads, n_q, n_k) have {}; each size of "
            "the mask must be equal or 1",
            op, Shape(std::span<const Index>(part.sizes)).str(), scores.str()));
      }
    }
  }
}

Tensor<std::uint8_t> Mask::visible_keys(Index batch, Index heads, Index n_q, Index n_k) const {
  Tensor<std::uint8_t> visible({batch, n_k});
  const kernels::AttentionMask mask = view();
  for (Index b = 0; b < batch; ++b) {
    for (Index h = 0; h < heads; ++h) {
      for (Index i = 0; i < n_q; ++i) {
        const Index end = mask.visible_end(b, i, n_q, n_k);
        for (Index j = 0; j < end; ++j) {
          if (mask.allows(b, h, i, j)) visible[b * n_k + j] = 1;
        }
      }
    }
  }
  return visible;
}

template <typename Scalar>
Tensor<Scalar> Mask::dense(Index batch, Index heads, Index n_q, Index n_k) const {
  check("mask", batch, heads, n_q, n_k);
  const kernels::AttentionMask mask = view();
  Tensor<Scalar> numbers = Tensor<Scalar>::full({batch, heads, n_q, n_k}, kMinusInf<Scalar>);
  for (Index row = 0; row < batch * heads * n_q; ++row) {
    const Index b = row / (heads * n_q);
    const Index i = row % n_q;
    const Index end = mask.visible_end(b, i, n_q, n_k);
    Scalar* scores = numbers.data() + row * n_k;
    std::fill_n(scores, end, Scalar(0));
    mask.apply_row(b, row / n_q % heads, i, end, scores);
  }
  return numbers;
}

template Mask Mask::additive(const Tensor<float>&);
template Mask Mask::additive(const Tensor<double>&);
template Mask Mask::zero_is_masked(const Tensor<float>&);
template Mask Mask::zero_is_masked(const Tensor<double>&);
template Mask Mask::zero_is_masked(const Tensor<std::uint8_t>&);
template Tensor<float> Mask::dense(Index, Index, Index, Index) const;
template Tensor<double> Mask::dense(Index, Index, Index, Index) const;

}  // namespace tapehead
