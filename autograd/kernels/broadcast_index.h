#pragma once

#include <array>

#include "base/shape.h"

namespace tapehead::kernels {

/// Where the element i of a row-major array of shape `whole` comes from in an array of shape
/// `part`, which broadcasts to `whole` under NumPy's rule.
class BroadcastIndex {
 public:
  BroadcastIndex(const Shape& part, const Shape& whole) : whole_(whole) {
    Index stride = 1;
    for (int i = 1; i <= part.rank(); ++i) {  // i-th dimension from the end
      const Index size = part[part.rank() - i];
      const auto axis = static_cast<std::size_t>(whole.rank() - i);
      strides_[axis] = size == 1 ? 0 : stride;
      stride *= size;
    }
    same_ = stride == whole.size();
  }

  Index operator()(Index i) const {
    if (same_) return i;
    Index at = 0;
    for (int axis = whole_.rank() - 1; axis >= 0; --axis) {
      at += i % whole_[axis] * strides_[static_cast<std::size_t>(axis)];
      i /= whole_[axis];
    }
    return at;
  }
  /// True if nothing is repeated: every element of `part` is used once.
  bool same() const { return same_; }

 private:
  Shape whole_;
  std::array<Index, Shape::kMaxRank> strides_{};
  bool same_ = false;
};

}  // namespace tapehead::kernels
