#pragma once

#include <csignal>

#include <atomic>
#include <thread>

namespace tapehead::cli {

/// While it lives, the first SIGINT (Ctrl-C) or SIGTERM only asks to stop, and a second one ends
/// the program as if neither were caught.
///
/// The signals are blocked and taken by a thread of their own, not by a handler, which could do
/// nearly nothing safely. Threads that compute must be started afterwards, so that the signals are
/// blocked in them too.
class StopSignals {
 public:
  StopSignals();
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  /// The first signal that came; 0 if none did. From any thread.
  int received() const { return received_; }

 private:
  void wait();

  sigset_t signals_{}, blocked_before_{};
  std::atomic<int> received_ = 0;
  std::atomic<bool> ended_ = false;
  std::thread waiter_;
};

}  // namespace tapehead::cli
