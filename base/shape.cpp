#include "base/shape.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/error.h"

namespace tapehead {

Shape::Shape(std::initializer_list<Index> sizes)
    : Shape(std::span<const Index>(sizes.begin(), sizes.size())) {}

Shape::Shape(std::span<const Index> sizes) {
  if (sizes.size() > static_cast<std::size_t>(kMaxRank)) {
    throw ShapeError(
        fmt::format("shape: {} dimensions; at most {} are supported", sizes.size(), kMaxRank));
  }
  rank_ = static_cast<int>(sizes.size());
  std::copy(sizes.begin(), sizes.end(), sizes_.begin());
  if (std::any_of(sizes.begin(), sizes.end(), [](Index n) { return n < 0; })) {
    throw ShapeError(fmt::format("shape: {} has a negative size", str()));
  }
}

int Shape::normalized_axis(const char* op, int axis) const {
  const int from_front = axis < 0 ? axis + rank_ : axis;
  if (from_front < 0 || from_front >= rank_) {
    throw ShapeError(fmt::format("{}: axis {} does not exist in shape {}; it must be in [{}, {})",
                                 op, axis, str(), -rank_, rank_));
  }
  return from_front;
}

Index Shape::dim(int axis) const {
  return sizes_[static_cast<std::size_t>(normalized_axis("shape", axis))];
}

Index Shape::size() const {
  Index n = 1;
  for (const Index d : sizes()) n *= d;
  return n;
}

Index Shape::row_count() const {
  Index n = 1;
  for (int axis = 0; axis + 1 < rank_; ++axis) n *= (*this)[axis];
  return n;
}

Shape Shape::with_dim(int axis, Index size) const {
  Shape result = *this;
  result.sizes_[static_cast<std::size_t>(axis)] = size;
  return result;
}

Shape Shape::without_dim(int axis) const {
  Shape result = *this;
  for (int i = axis; i + 1 < rank_; ++i) {
    result.sizes_[static_cast<std::size_t>(i)] = sizes_[static_cast<std::size_t>(i + 1)];
  }
  result.sizes_[static_cast<std::size_t>(rank_ - 1)] = 0;
  --result.rank_;
  return result;
}

Shape Shape::appended(Index size) const {
  if (rank_ == kMaxRank) {
    throw ShapeError(
        fmt::format("shape: {} has no room for one more dimension; at most {} are "
                    "supported",
                    str(), kMaxRank));
  }
  Shape result = *this;
  result.sizes_[static_cast<std::size_t>(result.rank_++)] = size;
  return result;
}

std::string Shape::str() const { return fmt::format("({})", fmt::join(sizes(), ", ")); }

Shape broadcast_shapes(const char* op, const Shape& a, const Shape& b) {
  const int rank = std::max(a.rank(), b.rank());
  std::array<Index, Shape::kMaxRank> sizes{};
  for (int i = 1; i <= rank; ++i) {  // i-th dimension from the end
    const Index da = i <= a.rank() ? a[a.rank() - i] : 1;
    const Index db = i <= b.rank() ? b[b.rank() - i] : 1;
    if (da != db && da != 1 && db != 1) {
      throw ShapeError(fmt::format(
          "{}: a has shape {}, b has shape {}; sizes {} and {} (dimension -{}) must be equal or 1",
          op, a.str(), b.str(), da, db, i));
    }
    sizes[static_cast<std::size_t>(rank - i)] = da == 1 ? db : da;
  }
  return Shape(std::span<const Index>(sizes.data(), static_cast<std::size_t>(rank)));
}

}  // namespace tapehead
