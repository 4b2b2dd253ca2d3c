#include "studies/study_cells.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <exception>
#include <fstream>
#include <limits>
#include <map>
#include <mutex>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include "base/atomic_file.h"
#include "base/error.h"
#include "train/digest.h"
#include "train/progress.h"
#include "train/run_folder.h"

namespace tapehead {

namespace {

using CellClock = std::chrono::steady_clock;
using CellNumbers = std::vector<double>;

// JSON has neither NaN nor infinities: null stands for NaN, and texts for the others.
nlohmann::json numbers_to_json(const CellNumbers& numbers) {
  nlohmann::json list = nlohmann::json::array();
  for (const double x : numbers) {
    list.push_back(std::isinf(x) ? nlohmann::json(x > 0 ? "inf" : "-inf") : nlohmann::json(x));
  }
  return list;
}

CellNumbers numbers_from_json(const nlohmann::json& list) {
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  CellNumbers numbers;
  for (const auto& x : list) {
    if (x.is_null()) {
      numbers.push_back(std::numeric_limits<double>::quiet_NaN());
    } else if (x.is_string()) {
      numbers.push_back(x == "inf" ? kInfinite : -kInfinite);
    } else {
      numbers.push_back(x.get<double>());
    }
  }
  return numbers;
}

std::string cells_seal(const nlohmann::json& cells) {
  Sha256 sha;
  sha.add(cells.dump());
  return sha.hex();
}

// The finished cells of a study, kept in a file.
class FinishedCells {
 public:
  FinishedCells(const StudyRequest& request, int version, const std::vector<StudyCell>& wanted)
      : study_(request.study), run_(request.run), quick_(request.quick), version_(version) {
    if (request.folder.empty()) return;
    path_ = request.folder / "cells.json";
    make_folder(request.folder);
    check_no_run(request.folder);
    check_kind(request.folder / "study.json", "the finished study");
    check_kind(path_, "parts of the study");
    const auto json = parsed(path_);
    try {
      const auto& cells = json.at("cells");
      if (!run_.empty()) check_run(cells, json.value("run", ""), wanted);
      if (json.at("version") != version) return;
      if (json.at("sha256") != cells_seal(cells)) return;
      for (const auto& [name, numbers] : cells.items()) cells_[name] = numbers_from_json(numbers);
    } catch (const nlohmann::json::exception&) {  // missing or damaged: computed again
      cells_.clear();
    }
  }

  const CellNumbers* find(const std::string& name) const {
    const auto found = cells_.find(name);
    return found == cells_.end() ? nullptr : &found->second;
  }

  void add(const std::string& name, const CellNumbers& numbers) {
    cells_[name] = numbers;
    if (path_.empty()) return;
    nlohmann::json cells = nlohmann::json::object();
    for (const auto& [key, values] : cells_) cells[key] = numbers_to_json(values);
    const std::string seal = cells_seal(cells);
    replace_file(path_, nlohmann::json{{"study", study_},
                                       {"version", version_},
                                       {"quick", quick_},
                                       {"run", run_.string()},
                                       {"cells", std::move(cells)},
                                       {"sha256", seal}}
                            .dump());
  }

 private:
  // At once, so that a folder that cannot be written to is found before the work and not after it.
  static void make_folder(const std::filesystem::path& folder) {
    std::error_code failed;
    std::filesystem::create_directories(folder, failed);
    if (!failed) return;
    throw IoError(fmt::format("{}: cannot make the folder: {}", folder.string(), failed.message()));
  }

  // A report on the folder would show the study only, and the run no more.
  static void check_no_run(const std::filesystem::path& folder) {
    if (!std::filesystem::exists(config_path(folder))) return;
    throw IoError(
        fmt::format("{}: this folder holds a run; choose another --out", folder.string()));
  }

  static nlohmann::json parsed(const std::filesystem::path& path) {
    std::ifstream file(path);
    return nlohmann::json::parse(file, nullptr, false);
  }

  // What somebody waited for is not to be replaced by something else.
  void check_kind(const std::filesystem::path& path, std::string_view what) const {
    const auto json = parsed(path);
    if (!json.is_object() || !json.contains("study") || !json.contains("quick")) return;
    const auto &study = json["study"], &quick = json["quick"];
    if (study == study_ && quick == quick_) return;
    if (!study.is_string() || !quick.is_boolean()) return;
    throw IoError(fmt::format("{}: holds {} {}, not of {}; choose another --out", path.string(),
                              what, kind_text(study, quick), kind_text(study_, quick_)));
  }

  static std::string kind_text(const std::string& study, bool quick) {
    return fmt::format("'{}'{}", study, quick ? " --quick" : "");
  }

  // The cells of a run have its digest in their names.
  void check_run(const nlohmann::json& cells, const std::string& found,
                 const std::vector<StudyCell>& wanted) const {
    for (const auto& [name, numbers] : cells.items()) {
      if (std::ranges::find(wanted, name, &StudyCell::name) != wanted.end()) continue;
      const std::string whose = found.empty() ? "another run"
                                : found == run_.string()
                                    ? "the run " + found + " with other weights"
                                    : "the run " + found;
      throw IoError(fmt::format(
          "{}: holds the study '{}' of {} (its part '{}'), not of the run {} as it is; choose "
          "another --out",
          path_.string(), study_, whose, name, run_.string()));
    }
  }

  std::filesystem::path path_;
  std::string study_;
  std::filesystem::path run_;
  bool quick_;
  int version_;
  std::map<std::string, CellNumbers> cells_;
};

// One line that redraws itself on a terminal; elsewhere a line every few seconds.
class CellProgress {
 public:
  CellProgress(std::FILE* stream, std::size_t total, std::size_t known)
      : stream_(stream),
        terminal_(stream != nullptr && isatty(fileno(stream)) != 0),
        total_(total),
        known_(known),
        done_(known),
        start_(CellClock::now()),
        shown_(start_) {
    if (stream_ != nullptr && known_ > 0) {
      fmt::print(stream_, "{} of {} cells were computed before\n", known_, total_);
    }
  }

  // What comes next, an error message say, begins a line of its own.
  ~CellProgress() {
    if (line_open_) fmt::print(stream_, "\n");
  }
  CellProgress(const CellProgress&) = delete;
  CellProgress& operator=(const CellProgress&) = delete;

  void finished(const std::string& name) {
    ++done_;
    if (stream_ == nullptr) return;
    const auto now = CellClock::now();
    const bool last = done_ == total_;
    constexpr std::chrono::seconds kBetweenLines(5);
    if (!terminal_ && !last && now - shown_ < kBetweenLines) return;
    shown_ = now;
    const double seconds = std::chrono::duration<double>(now - start_).count();
    const double left =
        seconds / static_cast<double>(done_ - known_) * static_cast<double>(total_ - done_);
    line_open_ = terminal_ && !last;
    fmt::print(stream_, "{}[{}/{}] {}, {} left{}", terminal_ ? "\r\033[K" : "", done_, total_, name,
               duration_text(left), line_open_ ? "" : "\n");
    std::fflush(stream_);
  }

 private:
  std::FILE* stream_;
  bool terminal_, line_open_ = false;
  std::size_t total_, known_, done_;
  CellClock::time_point start_, shown_;
};

}  // namespace

std::optional<UnfinishedStudy> unfinished_study(const std::filesystem::path& folder) {
  std::ifstream file(folder / "cells.json");
  const auto json = nlohmann::json::parse(file, nullptr, false);
  try {
    return UnfinishedStudy{json.at("study"), json.at("quick")};
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  }
}

std::vector<std::vector<double>> compute_cells(const StudyRequest& request, int version,
                                               const std::vector<StudyCell>& cells,
                                               CellThreads sharing) {
  FinishedCells finished(request, version, cells);
  std::vector<CellNumbers> results(cells.size());
  std::vector<std::size_t> missing;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const CellNumbers* known = finished.find(cells[i].name);
    if (known != nullptr) results[i] = *known;
    if (known == nullptr) missing.push_back(i);
  }
  CellProgress progress(request.progress, cells.size(), cells.size() - missing.size());
  std::mutex mutex;  // guards what follows
  std::exception_ptr error;

  const bool one_each = sharing == CellThreads::kOneEach;
  const int workers = one_each ? request.threads : 1;
  const auto count = static_cast<Index>(missing.size());
#pragma omp parallel for schedule(dynamic, 1) num_threads(workers)
  for (Index m = 0; m < count; ++m) {
    const std::size_t i = missing[static_cast<std::size_t>(m)];
    try {  // an exception must not leave a parallel region
      {
        const std::lock_guard<std::mutex> lock(mutex);
        if (error) continue;
      }
      if (request.stop_requested()) throw StudyInterrupted();
      results[i] = cells[i].compute(one_each ? 1 : request.threads);
      if (request.stop_requested()) throw StudyInterrupted();  // it may have given up half-way
      const std::lock_guard<std::mutex> lock(mutex);
      finished.add(cells[i].name, results[i]);
      progress.finished(cells[i].name);
    } catch (...) {
      const std::lock_guard<std::mutex> lock(mutex);
      if (!error) error = std::current_exception();
    }
  }
  if (error) std::rethrow_exception(error);
  return results;
}

}  // namespace tapehead
