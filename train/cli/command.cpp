#include "train/cli/command.h"

#include <omp.h>

#include <cstdio>

#include <fmt/format.h>

namespace tapehead::cli {

void print_json(const Json& json) { fmt::print("{}\n", json.dump()); }

CLI::Validator positive() { return CLI::Range(int64_t{1}, int64_t{1} << 40, "a positive number"); }

void add_threads_option(CLI::App& command, int& threads) {
  threads = omp_get_num_procs();
  constexpr int kMostThreads = 1024;  // more is a typing mistake
  command.add_option("--threads", threads, "threads to compute with; changes no bit of any result")
      ->check(CLI::Range(1, kMostThreads))
      ->capture_default_str();
}

}  // namespace tapehead::cli
