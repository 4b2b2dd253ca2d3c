#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "studies/study.h"

namespace tapehead {

/// One independent part of a study: a setting with a seed, say.
struct StudyCell {
  /// Names it among the cells of the study, settings and seed included: "d_k=64 scale=none seed=1".
  std::string name;
  /// Computes its numbers. Called with the number of threads that it may use, by one of several
  /// threads that work on different cells.
  std::function<std::vector<double>(int threads)> compute;
};

/// How the threads of a study are shared out.
enum class CellThreads {
  kOneEach,  ///< as many cells at a time as there are threads: training, sampling
  kAll       ///< one cell at a time, with all threads: for measured times
};

/// A study whose folder has cells but no result.
struct UnfinishedStudy {
  std::string study;  ///< its name
  bool quick = false;
};

/// What FOLDER/cells.json says it holds cells of; nothing if it is missing or damaged.
std::optional<UnfinishedStudy> unfinished_study(const std::filesystem::path& folder);

/// Computes the cells and returns their numbers, in the order of the cells, whatever the threads.
///
/// With a folder in the request, finished cells are kept in FOLDER/cells.json, and cells found
/// there are not computed again: a study that was stopped goes on where it was. `version` says what
/// the numbers mean; a file of another version or that is damaged is not used, and replaced. Shows
/// progress. Throws StudyInterrupted if asked to stop, what a cell threw, IoError if the folder
/// cannot be written to or holds another study, finished or in part: one of another name, the quick
/// version of this one or the whole one, or that of another run.
std::vector<std::vector<double>> compute_cells(const StudyRequest& request, int version,
                                               const std::vector<StudyCell>& cells,
                                               CellThreads sharing = CellThreads::kOneEach);

}  // namespace tapehead
