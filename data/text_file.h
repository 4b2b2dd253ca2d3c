#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace tapehead {

/// The UTF-8 text of a file, without its byte order mark, for the task called `task`. Throws
/// IoError, in the name of the task, if the file cannot be read, is no file, empty, no UTF-8 or
/// holds U+0000.
std::string read_text_file(std::string_view task, const std::filesystem::path& path);

}  // namespace tapehead
