#pragma once

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "studies/softmax_rows.h"
#include "studies/study_cells.h"

// The parts of the saturation study that can be computed by themselves.

namespace tapehead {

/// A cell's rows are drawn in equal parts from these.
inline constexpr std::array<Index, 4> kSaturationSeeds = {1, 2, 3, 4};

/// Queries and keys with entries N(0, 1).
struct UnitCell {
  Index n = 0, d = 0, rows = 0;
};
/// Its numbers: four summaries, of the same queries and keys without and with the scale 1/sqrt(d),
/// in double and, rounded, in float.
StudyCell unit_cell(const UnitCell& cell, const std::function<bool()>& stop_requested);
/// One of the summaries that a cell's numbers are made of.
SoftmaxSummary summary_of(const std::vector<double>& numbers, std::size_t part);

/// Logits that are exactly N(0, s^2), from queries and keys of width 1: q = s, k ~ N(0, 1).
struct CurveCell {
  Index n = 0;
  double s = 1;
  Index rows = 0;
};
StudyCell curve_cell(const CurveCell& cell, const std::function<bool()>& stop_requested);

/// Queries and keys W_Q x and W_K x of normalised inputs x of `width` entries, the weights being
/// drawn anew for each row.
struct InitCell {
  /// "unit": N(0, 1/width). "pytorch": nn.Linear's, uniform in +-1/sqrt(width). "xavier":
  /// nn.MultiheadAttention's, uniform in +-sqrt(6/(4 width)), since it draws W_Q, W_K, W_V as one
  /// matrix. "normal_0.02": N(0, 0.02^2).
  std::string init;
  Index width = 0, n = 0, d = 0, rows = 0;

  /// The variance of an entry of q or k that follows.
  double variance() const;
};
/// Its numbers: two summaries, without and with the scale, in double.
StudyCell init_cell(const InitCell& cell, const std::function<bool()>& stop_requested);

}  // namespace tapehead
