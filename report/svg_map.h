#pragma once

#include <cstddef>
#include <string>

#include "figures/attention_maps.h"

namespace tapehead {

/// One head's weights at a recorded step, with the symbols of queries and keys where they have
/// room. Of more than 128 queries or keys, a cell shows the largest weight of several, and the
/// picture says so.
std::string head_svg(const AttentionMaps& maps, std::size_t step, HeadChoice choice);

/// All heads at a recorded step beside each other: a row a layer.
std::string heads_svg(const AttentionMaps& maps, std::size_t step);

}  // namespace tapehead
