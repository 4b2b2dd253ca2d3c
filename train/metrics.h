#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "analysis/attention_labels.h"
#include "analysis/probe_sample.h"
#include "base/types.h"

namespace tapehead {

/// One optimizer step. What was not measured is NaN.
struct TrainingRow {
  Index step = 0;  ///< number of updates made, this one included
  double loss = 0;
  double token_accuracy = 0;
  double lr = 0;
  double grad_norm = 0;  ///< before clipping
  double tokens_per_s = 0;

  bool operator==(const TrainingRow&) const = default;
};

/// One validation. What has no meaning for the task is NaN.
struct ValidationRow {
  Index step = 0;
  double validation_loss = 0;
  double token_accuracy = 0;
  double accuracy = 0;  ///< of whole sequences

  bool operator==(const ValidationRow&) const = default;
};

/// What a run measured: metrics.h5 of its folder.
///
///   /                        attributes format "tapehead metrics", version 1
///   /training/COLUMN         one dataset a member of TrainingRow, one number a row
///   /validation/COLUMN       the same of ValidationRow
///   /probes/NAME/step        one number a sample of that name: (n)
///   /probes/NAME/values      their numbers: (n, ...)
///   /attention/...           what the probes' layers and positions are called (AttentionLabels):
///     layers, kinds, heads   path, "self", "cross" or "source", number of heads of each layer
///     symbols                of the model's own positions
///     source_symbols         of the positions of the source
///
/// Steps and heads are int64, values of probes float32, all other numbers float64; every dataset of
/// numbers has Fletcher32 checksums, the file a seal (run_file.h). Files of earlier programs have
/// no /attention, and those programs do not look at it: the version is the same.
///
/// Rows are collected in memory, and save() replaces the file whole, by a rename. An HDF5 file that
/// is appended to in place cannot be read any more if the program dies between two of its writes;
/// this one can be at every moment. A row has 48 bytes, so even a million steps are soon written.
/// Saved before each checkpoint, the file holds at least the rows that the checkpoint counts, and
/// on resume truncate() drops the rest: the run goes on as if it had never stopped.
class Metrics {
 public:
  Metrics() = default;
  /// Reads a file. Throws IoError if it is missing, damaged or no metrics file.
  static Metrics load(const std::filesystem::path& path);
  /// Writes the file whole or not at all.
  void save(const std::filesystem::path& path) const;

  void append(const TrainingRow& row) { training_.push_back(row); }
  void append(const ValidationRow& row) { validation_.push_back(row); }
  /// Throws ValueError if the shape does not fit the values, or is not that of the other samples
  /// of the name.
  void append(ProbeSample sample);
  void set_attention_labels(AttentionLabels labels) { attention_labels_ = std::move(labels); }
  /// Makes room, so that append() allocates nothing up to so many rows.
  void reserve(Index training_rows, Index validation_rows);
  /// Keeps the first rows of each part, and the samples up to `step`. Throws IoError if there are
  /// fewer rows.
  void truncate(Index training_rows, Index validation_rows, Index step);

  const std::vector<TrainingRow>& training() const { return training_; }
  const std::vector<ValidationRow>& validation() const { return validation_; }
  /// In the order of the steps, and of the names within one.
  const std::vector<ProbeSample>& probes() const { return probes_; }
  /// What stands beside the samples. Without layers if there are none, or the file does not say.
  const AttentionLabels& attention_labels() const { return attention_labels_; }

 private:
  std::vector<TrainingRow> training_;
  std::vector<ValidationRow> validation_;
  std::vector<ProbeSample> probes_;
  AttentionLabels attention_labels_;
};

/// The first rows of the file, as many as the checkpoint of step `step` counts. A file that is
/// missing, damaged or too short does not keep a good checkpoint from going on: it is renamed to
/// metrics.damaged.h5 (or -2, ...), `warn` is told, and the result is empty.
Metrics load_metrics(const std::filesystem::path& path, Index training_rows, Index validation_rows,
                     Index step, const std::function<void(const std::string&)>& warn);

}  // namespace tapehead
