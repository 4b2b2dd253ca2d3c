#pragma once

#include <cstdint>

namespace tapehead {

/// Sizes and positions are signed, as in Eigen.
using Index = std::int64_t;

/// A vocabulary index.
using TokenId = std::int32_t;

/// As a target: this position is not counted in the loss (PyTorch's default ignore index).
inline constexpr TokenId kIgnoreTarget = -100;

}  // namespace tapehead
