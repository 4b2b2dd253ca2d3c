#pragma once

#include "tests/parity/case_run.h"

namespace tapehead::parity {

/// The layers that parity files may hold, by the case's name.
const CaseTable& layer_cases();

}  // namespace tapehead::parity
