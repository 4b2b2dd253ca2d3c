#pragma once

#include "tests/parity/comparison.h"
#include "tests/parity/parity_file.h"

namespace tapehead::parity {

/// Trains the case's model from its initial parameters on its tokens, and compares every loss
/// (before each update), every gradient norm (before clipping) and every final parameter. Throws
/// NotCovered if this build has no such model, optimizer or schedule.
void run_train_case(const ParityCase& file, Comparison& result);

}  // namespace tapehead::parity
