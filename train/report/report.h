#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "train/report/document.h"
#include "train/report/text_plot.h"

namespace tapehead {

/// The report on folders of runs and of studies: what several runs measured stands in the same
/// charts. Throws IoError naming the folder if one is neither, or cannot be read.
Document report_document(std::span<const std::filesystem::path> folders);

/// Writes the document as an HTML file, whole or not at all. Throws ValueError if there is a file
/// that is no report, which is not overwritten, or no folder to write to; IoError if writing fails.
void write_report(const std::filesystem::path& path, const Document& document);

/// What a terminal shows of the document: title, subtitle, texts and tables, the first chart, the
/// most decided head of each attention map, some samples.
std::string terminal_view(const Document& document, TextStyle style);

}  // namespace tapehead
