#pragma once

#include <string>
#include <string_view>

namespace tapehead {

/// Text that may stand in HTML and in XML, in an element or in a quoted attribute: & < > " ' as
/// entities; control characters and whatever is no UTF-8 as U+FFFD, as neither may hold them. Tabs
/// and line breaks stay.
std::string markup_text(std::string_view text);

/// JSON, or a script, that may stand in a <script> element: what would end it is written otherwise,
/// to the same effect, as it occurs only in strings.
std::string inline_json(std::string json);
std::string inline_script(std::string_view script);

/// A name for a file: lower-case letters, digits and hyphens.
std::string file_name(std::string_view text);

}  // namespace tapehead
