#include "data/exercise.h"

#include <fmt/format.h>

#include "base/error.h"

namespace tapehead {

void check_key(const char* task, const char* key, Index value, Index low, Index high) {
  if (value >= low && value <= high) return;
  throw ValueError(
      fmt::format("{}: {} is {}; it must be from {} to {}", task, key, value, low, high));
}

std::vector<std::string> characters(std::string_view text) {
  std::vector<std::string> symbols;
  for (const char c : text) symbols.emplace_back(1, c);
  return symbols;
}

}  // namespace tapehead
