#pragma once

#include <string>

#include "figures/figures.h"

namespace tapehead {

/// A table for a terminal: title, columns as wide as they need to be, numbers to the right.
std::string table_text(const Table& table);

}  // namespace tapehead
