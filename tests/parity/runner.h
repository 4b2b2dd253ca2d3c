#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tests/parity/parity_file.h"

namespace tapehead::parity {

// Largest relative errors (see Comparison) that pass: for ops and layers, and for training runs,
// where rounding grows from step to step.
inline constexpr double kBound = 1e-10;
inline constexpr double kTrainingBound = 1e-8;

enum class Status { kPassed, kFailed, kNotCovered };

/// "passed", "FAILED" or "not covered".
const char* status_text(Status status);

struct CaseResult {
  std::string file, case_name, kind, name;
  Status status = Status::kPassed;
  double max_abs_error = 0, max_rel_error = 0;
  std::string message;  ///< what failed, or what is not covered
};

/// Runs one case. Throws IoError if the case is not what the format says.
CaseResult run_case(const ParityCase& parity_case);

/// Runs every case of the files, in order. Throws IoError for a file that is not of the format.
std::vector<CaseResult> run_files(const std::vector<std::filesystem::path>& files);

}  // namespace tapehead::parity
