#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <utility>

#include "autograd/memory_pool.h"
#include "base/shape.h"

namespace tapehead {

/// A contiguous, row-major array: a shape and shared storage. Copies and reshapes share the
/// storage; clone() copies the numbers. A tensor that a tape has seen must not be written again.
///
/// T is float or double for numbers, TokenId for indices, std::uint8_t for boolean masks.
template <typename T>
class Tensor {
 public:
  /// Holds nothing; defined() is false.
  Tensor() = default;
  /// All zeros, in a block of its own.
  explicit Tensor(const Shape& shape);
  /// The given numbers in row-major order. Throws ShapeError if their count does not fit.
  Tensor(const Shape& shape, std::span<const T> values);
  Tensor(const Shape& shape, std::initializer_list<T> values)
      : Tensor(shape, std::span<const T>(values.begin(), values.size())) {}
  /// A view of `shape` into `storage`, beginning at element `offset`.
  Tensor(const Shape& shape, Storage storage, Index offset = 0);

  static Tensor full(const Shape& shape, T value);
  static Tensor scalar(T value) { return full({}, value); }

  bool defined() const { return data_ != nullptr; }
  const Shape& shape() const { return shape_; }
  int rank() const { return shape_.rank(); }
  Index dim(int axis) const { return shape_.dim(axis); }
  Index size() const { return size_; }

  const T* data() const { return data_; }
  T* data() { return data_; }
  std::span<const T> values() const& { return {data_, static_cast<std::size_t>(size_)}; }
  std::span<T> values() & { return {data_, static_cast<std::size_t>(size_)}; }
  /// A temporary's values would be gone at once.
  void values() const&& = delete;
  T operator[](Index i) const { return data_[i]; }
  T& operator[](Index i) { return data_[i]; }

  /// The only number of a tensor of size 1. Throws ShapeError otherwise.
  T item() const;
  /// The same numbers under another shape, sharing storage. Throws ShapeError if sizes differ.
  Tensor reshaped(const Shape& shape) const;
  /// A view of `shape` beginning at element `offset` of this tensor, sharing storage.
  Tensor view(Index offset, const Shape& shape) const;
  /// A copy with storage of its own.
  Tensor clone() const { return Tensor(shape_, values()); }
  void fill(T value) { std::fill_n(data_, size_, value); }
  /// True if no other tensor shares the storage.
  bool unique() const { return storage_.unique(); }

 private:
  Shape shape_;
  Index size_ = 0;
  T* data_ = nullptr;
  Storage storage_;
};

using TokenTensor = Tensor<TokenId>;

}  // namespace tapehead
