#pragma once

#include <chrono>
#include <cstdio>
#include <optional>
#include <string>

#include "base/types.h"
#include "train/evaluate.h"

namespace tapehead {

/// Shows how a run is doing: one line that redraws itself on a terminal, plain lines at intervals
/// elsewhere. Writes to one stream and nowhere else.
class Progress {
 public:
  /// Shows nothing if `stream` is null.
  Progress(std::FILE* stream, Index total_steps, Index first_step, Index tokens_per_step);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void step(Index done, double loss, double lr);
  void evaluation(Index done, const Evaluation& evaluation);
  /// A line of its own.
  void message(const std::string& text);

 private:
  using Clock = std::chrono::steady_clock;
  std::string status(Index done, double loss, double lr) const;
  void end_line();

  std::FILE* stream_;
  bool terminal_;
  Index total_, first_, tokens_per_step_;
  Clock::time_point start_, last_shown_;
  bool line_open_ = false;
};

/// "2 h 5 min", "3 min 7 s", "12 s".
std::string duration_text(double seconds);

}  // namespace tapehead
