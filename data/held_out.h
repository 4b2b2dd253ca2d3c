#pragma once

#include <string>

#include "base/types.h"

namespace tapehead {

/// Held-out prompts of a task, unless its key `held_out` says otherwise.
inline constexpr Index kDefaultHeldOut = 1000;
inline constexpr Index kMaxHeldOut = 1'000'000;
/// Fewer measure nothing.
inline constexpr Index kMinHeldOut = 10;
/// At most this part of all prompts is held out.
inline constexpr double kHeldOutShare = 0.1;

/// How many prompts to hold out where `wanted` are asked for and there are `prompt_count` different
/// ones: at most a tenth of them. Throws ValueError, naming `size_keys`, if wanted is not from 10
/// to 1,000,000 or there are not ten times 10 prompts.
Index held_out_count(const std::string& task, double prompt_count, const std::string& size_keys,
                     Index wanted);

/// Why fewer rows than `wanted` are held out, in brackets with a space before; empty if that is not
/// so. 0 is wanted by tasks that have no such key.
std::string held_out_note(Index rows, Index wanted);

}  // namespace tapehead
