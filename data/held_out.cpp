#include "data/held_out.h"

#include <cmath>

#include <fmt/format.h>

#include "base/error.h"
#include "data/exercise.h"

namespace tapehead {

Index held_out_count(const std::string& task, double prompt_count, const std::string& size_keys,
                     Index wanted) {
  check_key(task.c_str(), "held_out", wanted, kMinHeldOut, kMaxHeldOut);
  const double allowed = std::floor(prompt_count * kHeldOutShare);
  if (allowed < static_cast<double>(kMinHeldOut)) {
    throw ValueError(fmt::format(
        "{}: there are only {:.0f} different prompts, too few to hold out {} and to train on the "
        "rest; at least {:.0f} are needed: raise {}",
        task, prompt_count, kMinHeldOut, static_cast<double>(kMinHeldOut) / kHeldOutShare,
        size_keys));
  }
  return allowed < static_cast<double>(wanted) ? static_cast<Index>(allowed) : wanted;
}

std::string held_out_note(Index rows, Index wanted) {
  if (rows >= wanted) return "";
  return fmt::format(" (task.held_out = {}, but only a tenth of all examples may be)", wanted);
}

}  // namespace tapehead
