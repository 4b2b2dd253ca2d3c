#pragma once

#include <filesystem>

#include "studies/walkthrough.h"

namespace tapehead {

/// Matrices from a file. HDF5 (*.h5, *.hdf5) has the datasets X, W_Q, W_K, W_V; in a text (*.csv)
/// each matrix is a line with its name and then one line a row, numbers separated by commas:
///
///   X
///   0.1, 0.2
///   W_Q
///   ...
///
/// Throws IoError if the file cannot be read or is not so, naming line or dataset.
WalkthroughInput read_walkthrough(const std::filesystem::path& path);

}  // namespace tapehead
