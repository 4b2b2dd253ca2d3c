#include "train/studies/study_cells.h"

#include <chrono>
#include <exception>
#include <fstream>
#include <map>
#include <mutex>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include "train/atomic_file.h"
#include "train/progress.h"

namespace tapehead {

namespace {

using CellClock = std::chrono::steady_clock;
using CellNumbers = std::vector<double>;

// JSON has no NaN; a cell that measured none keeps null.
nlohmann::json numbers_to_json(const CellNumbers& numbers) {
  nlohmann::json list = nlohmann::json::array();
  for (const double x : numbers) list.push_back(x);
  return list;
}

CellNumbers numbers_from_json(const nlohmann::json& list) {
  CellNumbers numbers;
  for (const auto& x : list) {
    numbers.push_back(x.is_null() ? std::numeric_limits<double>::quiet_NaN() : x.get<double>());
  }
  return numbers;
}

// The finished cells of a study, kept in a file.
class FinishedCells {
 public:
  FinishedCells(const StudyRequest& request, int version)
      : quick_(request.quick), version_(version) {
    if (request.folder.empty()) return;
    path_ = request.folder / "cells.json";
    std::ifstream file(path_);
    const auto json = nlohmann::json::parse(file, nullptr, false);
    try {
      if (json.at("version") != version || json.at("quick") != request.quick) return;
      for (const auto& [name, numbers] : json.at("cells").items()) {
        cells_[name] = numbers_from_json(numbers);
      }
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
    std::filesystem::create_directories(path_.parent_path());
    replace_file(path_,
                 nlohmann::json{{"version", version_}, {"quick", quick_}, {"cells", cells}}.dump());
  }

 private:
  std::filesystem::path path_;
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
    fmt::print(stream_, "{}[{}/{}] {}, {} left{}", terminal_ ? "\r\033[K" : "", done_, total_, name,
               duration_text(left), terminal_ && !last ? "" : "\n");
    std::fflush(stream_);
  }

 private:
  std::FILE* stream_;
  bool terminal_;
  std::size_t total_, known_, done_;
  CellClock::time_point start_, shown_;
};

}  // namespace

std::vector<std::vector<double>> compute_cells(const StudyRequest& request, int version,
                                               const std::vector<StudyCell>& cells,
                                               CellThreads sharing) {
  FinishedCells finished(request, version);
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
