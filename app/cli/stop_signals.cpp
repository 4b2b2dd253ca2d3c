#include "app/cli/stop_signals.h"

#include <pthread.h>

namespace tapehead::cli {

StopSignals::StopSignals() {
  sigemptyset(&signals_);
  for (const int signal : {SIGINT, SIGTERM}) sigaddset(&signals_, signal);
  pthread_sigmask(SIG_BLOCK, &signals_, &blocked_before_);
  // A shell may have had them ignored, as for commands in the background.
  for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, SIG_DFL);
  waiter_ = std::thread([this] { wait(); });
}

StopSignals::~StopSignals() {
  ended_ = true;
  pthread_kill(waiter_.native_handle(), SIGTERM);  // to wake it up
  waiter_.join();
  pthread_sigmask(SIG_SETMASK, &blocked_before_, nullptr);
}

void StopSignals::wait() {
  int signal = 0;
  sigwait(&signals_, &signal);
  if (ended_) return;
  received_ = signal;
  sigwait(&signals_, &signal);
  if (ended_) return;
  pthread_sigmask(SIG_UNBLOCK, &signals_, nullptr);
  std::raise(signal);
}

}  // namespace tapehead::cli
