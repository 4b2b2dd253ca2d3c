#pragma once

#include <filesystem>
#include <functional>
#include <string_view>

namespace tapehead {

/// Writes a file such that, whatever happens (a crash, a full disk, a power cut), `path` holds
/// either its old or its new content, whole. `write` is given a temporary name beside `path` to
/// write to; the result is synced to the disk and renamed, then the folder is synced.
/// Throws IoError naming file and cause; whatever `write` throws passes through, and the temporary
/// file is removed.
void replace_file(const std::filesystem::path& path,
                  const std::function<void(const std::filesystem::path&)>& write);

/// The same with a text.
void replace_file(const std::filesystem::path& path, std::string_view text);

}  // namespace tapehead
