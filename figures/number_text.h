#pragma once

#include <string>

#include "figures/figures.h"

namespace tapehead {

/// A number with four significant digits: "0.1234", "1.2e-07", "2048"; "-" if it is NaN.
std::string number_text(double number);
/// Text as it is, a number by number_text(), an Estimate as "mean ± se".
std::string cell_text(const Cell& cell);

}  // namespace tapehead
