#pragma once

#include <cstdio>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/types.h"
#include "figures/attention_maps.h"
#include "figures/figures.h"

// A study asks one question about attention and answers it with tables and charts.

namespace tapehead {

struct StudyRequest {
  bool quick = false;             ///< fewer cells, samples or steps: an answer within a minute
  std::filesystem::path folder;   ///< where to keep finished cells; empty: nowhere
  std::filesystem::path run;      ///< the trained run to look at, for the studies that need one
  int threads = 1;                ///< changes no bit of any result but measured times
  std::FILE* progress = nullptr;  ///< where to show how it goes; null: nowhere
  /// Asked now and then, by any thread; true: give up with StudyInterrupted.
  std::function<bool()> stop_requested = [] { return false; };
  std::string study = {};  ///< its name, by which the cells in a folder are known
};

struct StudyResult {
  std::string study;  ///< its name
  std::string question;
  std::string settings;  ///< what was varied and what was held fixed, for people
  bool quick = false;
  std::vector<Index> seeds;
  std::vector<std::string> findings;  ///< what came out, each from the numbers below
  std::string limits;                 ///< what does not follow
  std::vector<Table> tables;          ///< the first is the study's own: "rows" in JSON
  std::vector<Chart> charts;
  std::vector<AttentionMaps> maps;

  bool operator==(const StudyResult&) const = default;
};

/// Thrown by a study that was asked to stop; finished cells are in its folder.
class StudyInterrupted : public std::exception {
 public:
  const char* what() const noexcept override { return "the study was interrupted"; }
};

}  // namespace tapehead
