#pragma once

#include <filesystem>
#include <functional>
#include <string_view>

#include "data/hdf5_file.h"

namespace tapehead {

/// Writes an HDF5 file of a run whole or not at all (replace_file()). Its root gets the attributes
/// `format` and `version`; after HDF5's own end stands a seal, one line with the SHA-256 of all
/// bytes before it, which HDF5 and h5py do not look at.
///
/// The seal is what makes a damaged file safe to open: HDF5's checksums do not cover texts of
/// varying length, and the library can crash on damaged ones.
void write_run_file(const std::filesystem::path& path, std::string_view format, Index version,
                    const std::function<void(Hdf5File&)>& write);

/// Opens such a file after checking its seal, so that every flipped or missing byte is found before
/// HDF5 reads one. Throws IoError if the file is missing, damaged (or changed by another program),
/// of another format, or newer than `version`.
Hdf5File open_run_file(const std::filesystem::path& path, std::string_view format, Index version);

}  // namespace tapehead
