#pragma once

#include <cstdint>
#include <string_view>

#include "base/random.h"
#include "base/types.h"

namespace tapehead {

/// The random numbers of row `row` of training step `step`. Throws ValueError unless step and row
/// are in [0, 2^40) and [0, 2^24).
Random train_row_random(std::uint64_t seed, Index step, Index row);
/// The random numbers of held-out row `row`: the same in every run.
Random held_out_row_random(Index row);

/// Throws ValueError, in the name of the task, unless step >= 0 and rows > 0 are in range.
void check_train_rows(std::string_view task, Index step, Index rows);
/// Throws ValueError, in the name of the task, unless [first, first + rows) lies in [0, available).
void check_held_out_rows(std::string_view task, Index first, Index rows, Index available);

}  // namespace tapehead
