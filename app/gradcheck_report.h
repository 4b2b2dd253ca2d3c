#pragma once

#include <string>
#include <vector>

namespace tapehead {

/// The gradient check of one op or layer: all its cases together.
struct GradcheckEntry {
  std::string name;
  std::string kind;  ///< "op" or "layer"
  int cases = 0;
  double max_error = 0;
  bool passed = true;
  std::vector<std::string> failures;  ///< "case: what failed, where, with both numbers"
};

/// Checks the ops and layers called `names`, or all of them if there are none. Throws ValueError,
/// listing what there is, for an unknown name.
std::vector<GradcheckEntry> run_gradcheck(const std::vector<std::string>& names);

/// A table for people.
std::string gradcheck_table(const std::vector<GradcheckEntry>& entries);

}  // namespace tapehead
