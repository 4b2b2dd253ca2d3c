#include "studies/saturation_results.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "base/error.h"

namespace tapehead {

const SoftmaxSummary& SaturationResults::unit(Index n, Index d, bool scaled) const {
  for (const Unit& u : units) {
    if (u.n == n && u.d == d && u.scaled == scaled && !u.is_float) return u.rows;
  }
  throw ValueError(fmt::format("saturation: there is no cell n = {}, d_k = {}, scale {}", n, d,
                               scale_name(scaled)));
}

std::vector<Index> SaturationResults::key_counts() const {
  std::set<Index> values;
  for (const Unit& u : units) values.insert(u.n);
  return {values.begin(), values.end()};
}

std::vector<Index> SaturationResults::widths() const {
  std::set<Index> values;
  for (const Unit& u : units) values.insert(u.d);
  return {values.begin(), values.end()};
}

std::string_view scale_name(bool scaled) { return scaled ? "inv_sqrt" : "none"; }

}  // namespace tapehead
