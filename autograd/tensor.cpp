#include "autograd/tensor.h"

#include <fmt/format.h>

#include "base/error.h"

namespace tapehead {

template <typename T>
Tensor<T>::Tensor(const Shape& shape)
    : Tensor(shape, Storage::from_heap(static_cast<std::size_t>(shape.size()) * sizeof(T))) {
  fill(T{});
}

template <typename T>
Tensor<T>::Tensor(const Shape& shape, std::span<const T> values) : Tensor(shape) {
  if (static_cast<Index>(values.size()) != size_) {
    throw ShapeError(fmt::format("tensor: {} values for shape {}, which holds {}", values.size(),
                                 shape.str(), size_));
  }
  std::copy(values.begin(), values.end(), data_);
}

template <typename T>
Tensor<T>::Tensor(const Shape& shape, Storage storage, Index offset)
    : shape_(shape),
      size_(shape.size()),
      data_(static_cast<T*>(storage.data()) + offset),
      storage_(std::move(storage)) {}

template <typename T>
Tensor<T> Tensor<T>::full(const Shape& shape, T value) {
  Tensor result(shape);
  result.fill(value);
  return result;
}

template <typename T>
T Tensor<T>::item() const {
  if (size_ != 1) {
    throw ShapeError(
        fmt::format("item: shape {} holds {} values; exactly one is needed", shape_.str(), size_));
  }
  return data_[0];
}

template <typename T>
Tensor<T> Tensor<T>::reshaped(const Shape& shape) const {
  if (shape.size() != size_) {
    throw ShapeError(fmt::format("reshape: x has shape {} ({} values), the new shape {} holds {}",
                                 shape_.str(), size_, shape.str(), shape.size()));
  }
  Tensor result = *this;
  result.shape_ = shape;
  return result;
}

template <typename T>
Tensor<T> Tensor<T>::view(Index offset, const Shape& shape) const {
  if (offset < 0 || offset + shape.size() > size_) {
    throw ShapeError(fmt::format("view: {} values from {} on lie outside shape {}", shape.size(),
                                 offset, shape_.str()));
  }
  Tensor result = *this;
  result.shape_ = shape;
  result.size_ = shape.size();
  result.data_ = data_ + offset;
  return result;
}

template class Tensor<float>;
template class Tensor<double>;
template class Tensor<TokenId>;
template class Tensor<std::uint8_t>;

}  // namespace tapehead
