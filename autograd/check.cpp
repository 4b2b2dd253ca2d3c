#include "autograd/check.h"

#include <array>

#include <fmt/format.h>

#include "base/error.h"

namespace tapehead {

void check_same_shape(const char* op, const char* a_name, const Shape& a, const char* b_name,
                      const Shape& b) {
  if (a == b) return;
  throw ShapeError(fmt::format("{}: {} has shape {}, {} has shape {}; they must be equal", op,
                               a_name, a.str(), b_name, b.str()));
}

void check_rank(const char* op, const char* name, const Shape& shape, int rank) {
  if (shape.rank() == rank) return;
  throw ShapeError(fmt::format("{}: {} has shape {} of rank {}; rank {} is needed", op, name,
                               shape.str(), shape.rank(), rank));
}

void check_min_rank(const char* op, const char* name, const Shape& shape, int rank) {
  if (shape.rank() >= rank) return;
  throw ShapeError(fmt::format("{}: {} has shape {} of rank {}; at least rank {} is needed", op,
                               name, shape.str(), shape.rank(), rank));
}

void check_last_dim(const char* op, const char* name, const Shape& shape, Index size,
                    const char* what) {
  if (shape.rank() >= 1 && shape.row_length() == size) return;
  throw ShapeError(fmt::format("{}: {} has shape {}; its last size must be {} ({})", op, name,
                               shape.str(), size, what));
}

std::string position_str(const Shape& shape, Index i) {
  std::array<Index, Shape::kMaxRank> at{};
  for (int axis = shape.rank() - 1; axis >= 0; --axis) {
    at[static_cast<std::size_t>(axis)] = i % shape[axis];
    i /= shape[axis];
  }
  return Shape(std::span<const Index>(at.data(), static_cast<std::size_t>(shape.rank()))).str();
}

}  // namespace tapehead
