#pragma once

#include <span>
#include <string>
#include <vector>

#include "figures/figures.h"

namespace tapehead {

/// What was measured at one step.
struct Measured {
  Index step = 0;
  double value = 0;
};

/// How many steps one point of a curve stands for, so that it has at most `most_points`.
Index bucket_size(std::size_t measured, std::size_t most_points);

/// A curve over the steps. What is not finite is left out. With buckets of more than one step, a
/// point stands in the middle of its steps and is the mean of what was measured there, with the
/// smallest and the largest as ends of its bar: no extreme is lost.
ChartSeries curve(std::string name, std::span<const Measured> measured, Index bucket);

/// What a chart says about curves in buckets; empty for a bucket of one.
std::string bucket_note(Index bucket);

}  // namespace tapehead
