#pragma once

#include <optional>
#include <span>

#include "figures/figures.h"

namespace tapehead {

/// y = factor * x^exponent, fitted by least squares to log y over log x.
struct PowerLaw {
  /// With b = sum (u - mean u) (v - mean v) / sum (u - mean u)^2, u = log x, v = log y, the
  /// standard error is sqrt(sum residual^2 / (n - 2) / sum (u - mean u)^2); NaN for two points.
  Estimate exponent;
  double factor = 0;
};

/// Throws ValueError unless there are as many x as y, all positive, with at least two different x.
PowerLaw fit_power_law(std::span<const double> x, std::span<const double> y);

/// The first x from which on `a` is above `b` after it was not, found on the straight line between
/// neighbouring points in logarithms. None if `a` does not rise above `b`, or begins above it. Both
/// belong to the same ascending x.
std::optional<double> crossover(std::span<const double> x, std::span<const double> a,
                                std::span<const double> b);

}  // namespace tapehead
