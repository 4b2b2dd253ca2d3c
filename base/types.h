#pragma once

#include <cstdint>

namespace tapehead {

/// Sizes and positions are signed, as in Eigen.
using Index = std::int64_t;

/// A vocabulary index.
using TokenId = std::int32_t;

/// As a target: this position is not counted in the loss (PyTorch's default ignore index).
inline constexpr TokenId kIgnoreTarget = -100;

/// In a source sequence: there is nothing here; only after its last token.
inline constexpr TokenId kPadToken = -1;

}  // namespace tapehead
