#pragma once

#include <filesystem>
#include <span>

#include "report/document.h"

namespace tapehead {

/// The report on folders of runs and of studies: what several runs measured stands in the same
/// charts. Throws IoError naming the folder if one is neither, or cannot be read.
Document report_document(std::span<const std::filesystem::path> folders);

}  // namespace tapehead
