#pragma once

#include "analysis/attention_labels.h"
#include "data/hdf5_file.h"

// The group "attention" of metrics.h5 (metrics.h has the layout).

namespace tapehead {

/// Writes the group, if there are layers.
void write_attention_labels(Hdf5File& file, const AttentionLabels& labels);

/// Reads it; without layers if the file does not have it. Throws IoError if it is not as it should
/// be.
AttentionLabels read_attention_labels(const Hdf5File& file);

}  // namespace tapehead
