#include "data/rows.h"

#include <fmt/format.h>

#include "base/error.h"

namespace tapehead {
namespace {

// Streams of the data sets, far from the small numbers that others may use.
constexpr std::uint32_t kTrainStream = 0x64617401;
constexpr std::uint32_t kHeldOutStream = 0x64617402;
/// The held-out set is the same whatever the seed of the training.
constexpr std::uint64_t kHeldOutSeed = 0;

// A position names step and row: 40 and 24 bits.
constexpr int kRowBits = 24;
constexpr Index kMaxRows = Index{1} << kRowBits;
constexpr Index kMaxSteps = Index{1} << (64 - kRowBits);

}  // namespace

Random train_row_random(std::uint64_t seed, Index step, Index row) {
  check_train_rows("random row", step, row + 1);
  const auto position =
      (static_cast<std::uint64_t>(step) << kRowBits) | static_cast<std::uint64_t>(row);
  return Random(seed, kTrainStream, position);
}

Random held_out_row_random(Index row) {
  return Random(kHeldOutSeed, kHeldOutStream, static_cast<std::uint64_t>(row));
}

void check_train_rows(std::string_view task, Index step, Index rows) {
  if (step < 0 || step >= kMaxSteps) {
    throw ValueError(
        fmt::format("{}: training step {}; it must be from 0 to {}", task, step, kMaxSteps - 1));
  }
  if (rows < 1 || rows > kMaxRows) {
    throw ValueError(
        fmt::format("{}: a batch of {} rows; it must be from 1 to {}", task, rows, kMaxRows));
  }
}

void check_held_out_rows(std::string_view task, Index first, Index rows, Index available) {
  if (first < 0 || rows < 1 || first > available - rows) {
    throw ValueError(
        fmt::format("{}: held-out rows {} to {} were asked for; there are rows 0 to {}", task,
                    first, first + rows - 1, available - 1));
  }
}

}  // namespace tapehead
