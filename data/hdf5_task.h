#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "data/hdf5_file.h"
#include "data/task.h"

namespace tapehead {

/// A data set from an HDF5 file (docs/file_formats.md):
///
///   /                    attributes: format = "tapehead-dataset", version = 1, vocabulary = V;
///                        optional: layout = "causal" or "parallel", counts_sequences = bool,
///                        symbol_style = "words" or "text" (see Vocabulary::Style)
///   /train/inputs        [rows, length], integers from 0 to V - 1
///   /train/targets       [rows, length], the same or -100 where nothing is asked, but not
///   everywhere /held_out/inputs     as train, with its own number of rows and the same length
///   /held_out/targets
///   /symbols             optional: V strings, the text of each token; otherwise "0", "1", ...
///
/// A training row is one of the file's, chosen at random with (seed, step, row). What is held out
/// is the file's decision.
class Hdf5Task : public Task {
 public:
  static constexpr const char* kFormat = "tapehead-dataset";
  static constexpr Index kVersion = 1;

  /// Reads the whole file. `layout` is what the model needs. Throws IoError if the file is not as
  /// above, ValueError if it says that it has another layout.
  explicit Hdf5Task(const std::filesystem::path& path, Layout layout = Layout::kCausal);

  std::string name() const override { return "dataset"; }
  const Vocabulary& symbols() const override { return symbols_; }
  Index length() const override { return train_.length; }
  Layout layout() const override { return layout_; }
  bool counts_sequences() const override { return counts_sequences_; }

  Index train_rows() const { return train_.rows; }
  void train_batch(std::uint64_t seed, Index step, Index rows, Batch& batch) const override;
  Index held_out_rows() const override { return held_out_.rows; }
  void held_out_batch(Index first, Index rows, Batch& batch) const override;

 private:
  Hdf5Task(const Hdf5File& file, Layout layout);

  Layout layout_;
  Vocabulary symbols_;
  bool counts_sequences_ = true;
  Batch train_;
  Batch held_out_;
};

/// Writes `train_rows` rows of the task's first training step with `seed`, and its held-out set, to
/// a new file that Hdf5Task reads. Throws ValueError if the task has sources or real numbers.
void write_dataset(const Task& task, const std::filesystem::path& path, Index train_rows,
                   std::uint64_t seed);

/// "causal" or "parallel".
const char* layout_name(Layout layout);

}  // namespace tapehead
