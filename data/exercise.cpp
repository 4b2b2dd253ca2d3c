#include "data/exercise.h"

#include <fmt/format.h>

#include "autograd/error.h"

namespace tapehead {

void check_key(const char* task, const char* key, Index value, Index low, Index high) {
  if (value >= low && value <= high) return;
  throw ValueError(
      fmt::format("{}: {} is {}; it must be from {} to {}", task, key, value, low, high));
}

}  // namespace tapehead
