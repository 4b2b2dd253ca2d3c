#pragma once

#include <array>
#include <initializer_list>
#include <span>
#include <string>

#include "base/types.h"

namespace tapehead {

/// The sizes of a tensor's dimensions: a value type of at most kMaxRank dimensions, outermost
/// first. A scalar has rank 0 and size 1. Sizes of 0 are allowed.
class Shape {
 public:
  static constexpr int kMaxRank = 6;

  Shape() = default;
  Shape(std::initializer_list<Index> sizes);
  /// Throws ShapeError if there are more than kMaxRank sizes or one is negative.
  explicit Shape(std::span<const Index> sizes);

  int rank() const { return rank_; }
  /// Size of dimension `axis`; negative axes count from the end. Throws ShapeError outside the
  /// rank.
  Index dim(int axis) const;
  Index operator[](int axis) const { return sizes_[static_cast<std::size_t>(axis)]; }
  /// Number of elements.
  Index size() const;
  /// `axis` counted from the front. Throws ShapeError, in the name of `op`, outside the rank.
  int normalized_axis(const char* op, int axis) const;

  /// Last dimension (1 for a scalar): the length of a row.
  Index row_length() const { return rank_ == 0 ? 1 : sizes_[static_cast<std::size_t>(rank_ - 1)]; }
  /// Product of all dimensions but the last: the number of rows.
  Index row_count() const;

  /// The same shape with dimension `axis` (counted from the front) set to `size`.
  Shape with_dim(int axis, Index size) const;
  /// The same shape without dimension `axis` (counted from the front).
  Shape without_dim(int axis) const;
  /// The same shape with one more, innermost, dimension.
  Shape appended(Index size) const;

  std::span<const Index> sizes() const { return {sizes_.data(), static_cast<std::size_t>(rank_)}; }
  /// As text: "(2, 3, 4)", "()" for a scalar.
  std::string str() const;

  bool operator==(const Shape& other) const = default;

 private:
  std::array<Index, kMaxRank> sizes_{};  // unused entries stay 0, so that == is memberwise
  int rank_ = 0;
};

/// The shape that `a` and `b` broadcast to under NumPy's rule: aligned at the last dimension, sizes
/// equal or 1. Throws ShapeError, in the name of `op`, if there is none.
Shape broadcast_shapes(const char* op, const Shape& a, const Shape& b);

}  // namespace tapehead
