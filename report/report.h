#pragma once

#include <filesystem>
#include <string>

#include "report/document.h"
#include "report/text_plot.h"

namespace tapehead {

/// Writes the document as an HTML file, whole or not at all. Throws ValueError if there is a file
/// that is no report, which is not overwritten, or no folder to write to; IoError if writing fails.
void write_report(const std::filesystem::path& path, const Document& document);

/// What a terminal shows of the document: title, subtitle, texts and tables, the first chart, the
/// most decided head of each attention map, some samples.
std::string terminal_view(const Document& document, TextStyle style);

}  // namespace tapehead
