#include "train/progress.h"

#include <unistd.h>

#include <cmath>

#include <fmt/format.h>

namespace tapehead {

namespace {

// Often enough to look alive on a terminal, seldom enough not to flood a log file.
constexpr std::chrono::milliseconds kTerminalInterval{100};
constexpr std::chrono::seconds kLogInterval{10};

}  // namespace

std::string duration_text(double seconds) {
  const auto s = static_cast<long>(std::ceil(seconds));
  if (s >= 3600) return fmt::format("{} h {} min", s / 3600, s % 3600 / 60);
  if (s >= 60) return fmt::format("{} min {} s", s / 60, s % 60);
  return fmt::format("{} s", s);
}

Progress::Progress(std::FILE* stream, Index total_steps, Index first_step, Index tokens_per_step)
    : stream_(stream),
      terminal_(stream != nullptr && isatty(fileno(stream)) == 1),
      total_(total_steps),
      first_(first_step),
      tokens_per_step_(tokens_per_step),
      start_(Clock::now()),
      last_shown_(start_) {}

Progress::~Progress() { end_line(); }

std::string Progress::status(Index done, double loss, double lr) const {
  const double seconds = std::chrono::duration<double>(Clock::now() - start_).count();
  const auto steps = static_cast<double>(done - first_);
  const double left = seconds / steps * static_cast<double>(total_ - done);
  return fmt::format("step {}/{}  loss {:.4f}  lr {:.2e}  {:.0f} tokens/s  {} left", done, total_,
                     loss, lr, steps * static_cast<double>(tokens_per_step_) / seconds,
                     duration_text(left));
}

void Progress::step(Index done, double loss, double lr) {
  if (stream_ == nullptr) return;
  const auto now = Clock::now();
  const bool due =
      terminal_ ? now - last_shown_ >= kTerminalInterval : now - last_shown_ >= kLogInterval;
  if (!due && done != total_) return;
  last_shown_ = now;
  if (terminal_) {
    fmt::print(stream_, "\r\x1b[K{}", status(done, loss, lr));  // to the line's start, erase it
    line_open_ = true;
  } else {
    fmt::print(stream_, "{}\n", status(done, loss, lr));
  }
  std::fflush(stream_);
}

void Progress::evaluation(Index done, const Evaluation& e) {
  const std::string accuracy = accuracy_text(e);
  message(fmt::format("step {:>6}  validation loss {:.4f}{}{}", done, e.loss,
                      accuracy.empty() ? "" : ", ", accuracy));
}

void Progress::message(const std::string& text) {
  if (stream_ == nullptr) return;
  if (line_open_) fmt::print(stream_, "\r\x1b[K");
  line_open_ = false;
  fmt::print(stream_, "{}\n", text);
  std::fflush(stream_);
}

void Progress::end_line() {
  if (line_open_) fmt::print(stream_, "\n");
  line_open_ = false;
}

}  // namespace tapehead
