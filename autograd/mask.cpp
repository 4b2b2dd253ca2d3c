#include "autograd/mask.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "autograd/check.h"
#include "autograd/error.h"

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
  auto parts = std::make_shared<Parts>();
  parts->lengths.push_back(std::move(lengths));
  Mask mask;
  mask.parts_ = std::move(parts);
  return mask;
}

Mask Mask::from_part(TensorPart part) {
  auto parts = std::make_shared<Parts>();
  parts->tensors.push_back(std::move(part));
  Mask mask;
  mask.parts_ = std::move(parts);
  return mask;
}

Mask Mask::may_attend(const Tensor<std::uint8_t>& allowed) {
  return from_part({as_allowed(allowed, true), {}});
}

Mask Mask::masked_out(const Tensor<std::uint8_t>& forbidden) {
  return from_part({as_allowed(forbidden, false), {}});
}

template <typename Scalar>
Mask Mask::zero_is_masked(const Tensor<Scalar>& numbers) {
  return from_part({as_allowed(numbers, true), {}});
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
  return from_part({{}, std::move(numbers)});
}

Mask operator&(const Mask& a, const Mask& b) {
  Mask both;
  both.causal_ = a.causal_ || b.causal_;
  both.top_left_ = a.top_left_ || b.top_left_;
  if (a.parts_ == nullptr || b.parts_ == nullptr) {
    both.parts_ = a.parts_ != nullptr ? a.parts_ : b.parts_;
    return both;
  }
  auto parts = std::make_shared<Mask::Parts>(*a.parts_);
  parts->lengths.insert(parts->lengths.end(), b.parts_->lengths.begin(), b.parts_->lengths.end());
  parts->tensors.insert(parts->tensors.end(), b.parts_->tensors.begin(), b.parts_->tensors.end());
  both.parts_ = std::move(parts);
  return both;
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
  for (const TensorPart& part : parts_->tensors) {
    for (int axis = 0; axis < 4; ++axis) {
      if (part.shape()[axis] != 1 && part.shape()[axis] != scores[axis]) {
        throw ShapeError(fmt::format(
            "{}: the mask has shape {}, the scores (batch, heads, n_q, n_k) have {}; each size of "
            "the mask must be equal or 1",
            op, part.shape().str(), scores.str()));
      }
    }
  }
}

Index Mask::visible_end(Index b, Index i, Index n_q, Index n_k) const {
  Index end = n_k;
  if (causal_) end = std::clamp(i + 1 + n_k - n_q, Index{0}, end);
  if (top_left_) end = std::min(end, i + 1);
  if (parts_ != nullptr) {
    for (const auto& lengths : parts_->lengths) {
      end = std::min(end, lengths[static_cast<std::size_t>(b)]);
    }
  }
  return end;
}

Index Mask::TensorPart::row_start(Index b, Index h, Index i) const {
  const Shape& s = shape();
  const Index at_b = s[0] == 1 ? 0 : b;
  const Index at_h = s[1] == 1 ? 0 : h;
  const Index at_i = s[2] == 1 ? 0 : i;
  return ((at_b * s[1] + at_h) * s[2] + at_i) * s[3];
}

bool Mask::TensorPart::allows(Index at) const {
  return allowed.defined() ? allowed[at] != 0 : bias[at] != kMinusInf<double>;
}

template <typename Scalar>
void Mask::apply_row(Index b, Index h, Index i, Index end, Scalar* scores) const {
  if (parts_ == nullptr) return;
  for (const TensorPart& part : parts_->tensors) {
    const Index start = part.row_start(b, h, i);
    const Index stride = part.key_stride();
    for (Index j = 0; j < end; ++j) {
      const Index at = start + j * stride;
      if (!part.allows(at)) {
        scores[j] = kMinusInf<Scalar>;
      } else if (part.bias.defined()) {
        scores[j] += static_cast<Scalar>(part.bias[at]);
      }
    }
  }
}

bool Mask::sees(Index b, Index h, Index i, Index j) const {
  return parts_ == nullptr ||
         std::all_of(parts_->tensors.begin(), parts_->tensors.end(), [=](const TensorPart& part) {
           return part.allows(part.row_start(b, h, i) + j * part.key_stride());
         });
}

Tensor<std::uint8_t> Mask::visible_keys(Index batch, Index heads, Index n_q, Index n_k) const {
  Tensor<std::uint8_t> visible({batch, n_k});
  for (Index b = 0; b < batch; ++b) {
    for (Index h = 0; h < heads; ++h) {
      for (Index i = 0; i < n_q; ++i) {
        const Index end = visible_end(b, i, n_q, n_k);
        for (Index j = 0; j < end; ++j) {
          if (sees(b, h, i, j)) visible[b * n_k + j] = 1;
        }
      }
    }
  }
  return visible;
}

template <typename Scalar>
Tensor<Scalar> Mask::dense(Index batch, Index heads, Index n_q, Index n_k) const {
  check("mask", batch, heads, n_q, n_k);
  Tensor<Scalar> numbers = Tensor<Scalar>::full({batch, heads, n_q, n_k}, kMinusInf<Scalar>);
  for (Index row = 0; row < batch * heads * n_q; ++row) {
    const Index b = row / (heads * n_q);
    const Index i = row % n_q;
    const Index end = visible_end(b, i, n_q, n_k);
    Scalar* scores = numbers.data() + row * n_k;
    std::fill_n(scores, end, Scalar(0));
    apply_row(b, row / n_q % heads, i, end, scores);
  }
  return numbers;
}

template Mask Mask::additive(const Tensor<float>&);
template Mask Mask::additive(const Tensor<double>&);
template Mask Mask::zero_is_masked(const Tensor<float>&);
template Mask Mask::zero_is_masked(const Tensor<double>&);
template Mask Mask::zero_is_masked(const Tensor<std::uint8_t>&);
template void Mask::apply_row(Index, Index, Index, Index, float*) const;
template void Mask::apply_row(Index, Index, Index, Index, double*) const;
template Tensor<float> Mask::dense(Index, Index, Index, Index) const;
template Tensor<double> Mask::dense(Index, Index, Index, Index) const;

}  // namespace tapehead
