#include <cmath>
#include <memory>

#include <fmt/format.h>

#include "autograd/kernels/gemm.h"
#include "train/bench.h"
#include "train/cli/command.h"

namespace tapehead::cli {

namespace {

struct BenchOptions {
  std::string job = "all";
  int threads = 1;
  double seconds = 5;
  bool json = false;
};

Json to_json(const BenchResult& r) {
  const auto or_null = [](const std::optional<double>& x) { return x ? Json(*x) : Json(nullptr); };
  return {{"job", r.job},
          {"median_ms", r.median_ms},
          {"min_ms", r.min_ms},
          {"tokens_per_s", r.tokens_per_s},
          {"gflops", r.gflops},
          {"threads", r.threads},
          {"heap_allocations_per_step", or_null(r.heap_allocations_per_step)},
          {"other_allocations_per_step", or_null(r.other_allocations_per_step)},
          {"peak_rss_mb", r.peak_rss_mb}};
}

void bench(const BenchOptions& options) {
  const std::vector<BenchJob> jobs =
      options.job == "all" ? bench_jobs() : std::vector<BenchJob>{find_bench_job(options.job)};
  if (!options.json) {
    fmt::print("one training step, {} threads, matrix products by {}\n", options.threads,
               gemm_library());
    fmt::print("{:<14}{:>11}{:>10}{:>13}{:>11}{:>13}{:>10}\n", "job", "median ms", "min ms",
               "tokens/s", "GFLOP/s", "allocations", "peak MB");
  }
  Json list = Json::array();
  for (const BenchJob& job : jobs) {
    const BenchResult r = run_bench(job, options.threads, options.seconds);
    if (options.json) {
      list.push_back(to_json(r));
    } else {
      fmt::print("{:<14}{:>11.3f}{:>10.3f}{:>13.0f}{:>11.1f}{:>13.2f}{:>10.0f}\n", r.job,
                 r.median_ms, r.min_ms, r.tokens_per_s, r.gflops,
                 r.heap_allocations_per_step.value_or(std::nan("")), r.peak_rss_mb);
      std::fflush(stdout);
    }
  }
  if (options.json) print_json(options.job == "all" ? Json{{"jobs", list}} : list.front());
}

}  // namespace

void add_bench(CLI::App& app, Outcome&) {
  auto options = std::make_shared<BenchOptions>();
  CLI::App* command = app.add_subcommand("bench", "time training steps of four typical sizes");
  command->add_option("JOB", options->job, "tiny, toy, nanogpt-cpu, mid or all")
      ->capture_default_str();
  command->add_option("--seconds", options->seconds, "how long to measure each job")
      ->check(CLI::Range(0.0, 3600.0))
      ->capture_default_str();
  add_threads_option(*command, options->threads);
  command->add_flag("--json", options->json, "print one JSON object");
  command->callback([options] { bench(*options); });
}

}  // namespace tapehead::cli
