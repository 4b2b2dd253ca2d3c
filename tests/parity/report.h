#pragma once

#include <string>
#include <vector>

#include "tests/parity/runner.h"

namespace tapehead::parity {

/// A table for people, one line a case, with what failed below it and a summary at the end.
std::string table_report(const std::vector<CaseResult>& results);

/// {"cases": [{"file", "case", "kind", "name", "status", "max_abs_error", "max_rel_error"}, ...],
///  "passed": true unless a case failed}. Status is "passed", "failed" or "not covered"; errors are
/// null where nothing was computed, or where they are not finite. A failed case has a "message".
std::string json_report(const std::vector<CaseResult>& results);

/// True if no case failed.
bool all_passed(const std::vector<CaseResult>& results);

}  // namespace tapehead::parity
