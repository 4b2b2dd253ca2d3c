#pragma once

#include <string_view>
#include <vector>

#include "studies/saturation_cells.h"
#include "studies/study.h"

namespace tapehead {

/// "Do gradients vanish if attention's dot products are not scaled?"
///
/// Random queries and keys, as at initialisation, go through the library's attention; nothing is
/// trained. See docs/studies.md.
StudyResult run_saturation_study(const StudyRequest& request);

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

std::vector<Table> saturation_tables(const SaturationResults& results);
std::vector<Chart> saturation_charts(const SaturationResults& results);
std::vector<std::string> saturation_findings(const SaturationResults& results);

}  // namespace tapehead
