#pragma once

#include <string_view>
#include <vector>

#include "studies/saturation_cells.h"

namespace tapehead {

/// What the study measured, before it is made tables of.
struct SaturationResults {
  struct Unit {
    Index n = 0, d = 0;
    bool scaled = false;  ///< by 1/sqrt(d_k)
    bool is_float = false;
    SoftmaxSummary rows;
  };
  struct OnCurve {
    Index n = 0;
    double s = 0;
    SoftmaxSummary rows;
  };
  struct Initialised {
    InitCell cell;
    bool scaled = false;
    SoftmaxSummary rows;
  };
  std::vector<Unit> units;
  std::vector<OnCurve> curve;
  std::vector<Initialised> initialised;

  /// In double; throws ValueError if there is none.
  const SoftmaxSummary& unit(Index n, Index d, bool scaled) const;
  std::vector<Index> key_counts() const;  ///< the values of n, rising
  std::vector<Index> widths() const;      ///< the values of d_k, rising
};

std::string_view scale_name(bool scaled);

/// The number of keys that findings and charts speak of.
inline constexpr Index kShownKeys = 64;

}  // namespace tapehead
