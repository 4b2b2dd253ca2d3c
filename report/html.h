#pragma once

#include <string>

#include "report/document.h"

namespace tapehead {

/// The document as one HTML file that needs no other: style, scripts and data stand in it, and its
/// content policy lets it load nothing (but Vega's scripts, where the program was built without).
/// Texts, tables and samples are plain HTML; charts are drawn by Vega-Lite, attention maps by our
/// own script, from JSON in the page. All texts are escaped.
std::string to_html(const Document& document);

/// How the page begins, by which a file is known to be a report.
inline constexpr const char* kHtmlBeginning =
    "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta name=\"generator\" content=\"tapehead\">\n";

}  // namespace tapehead
