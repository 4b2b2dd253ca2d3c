#pragma once

#include <cstddef>
#include <string>

#include "figures/attention_maps.h"
#include "figures/figures.h"

// Pictures for a terminal.

namespace tapehead {

/// Of which characters: Unicode's block elements, or plain ASCII.
enum class TextStyle { kUnicode, kAscii };

/// What the terminal's locale (the first that is set of LC_ALL, LC_CTYPE and LANG) can show:
/// kAscii if it names another encoding than UTF-8, as "C" does. Where nothing is set, as in many
/// containers, nothing speaks against Unicode.
TextStyle terminal_style();

/// In kAscii, "±" and "–" as "+-" and "-", and other characters beyond ASCII as "?".
std::string styled_text(const std::string& text, TextStyle style);

/// One series of a chart, its area filled, as lines of text with the smallest and the largest
/// number of the y axis beside it and of the x axis below. Points that fall into one column are
/// shown by their mean. Empty if the series has no points.
std::string curve_text(const Chart& chart, std::size_t series, TextStyle style);

/// One head's attention: a line a query, a character a key, darker where the weight is larger. Of
/// many positions the first are shown.
std::string head_text(const AttentionMaps& maps, std::size_t step, HeadChoice choice,
                      TextStyle style);

}  // namespace tapehead
