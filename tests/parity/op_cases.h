#pragma once

#include "tests/parity/case_run.h"

namespace tapehead::parity {

/// The ops that parity files may hold, by the case's name.
const CaseTable& op_cases();

}  // namespace tapehead::parity
