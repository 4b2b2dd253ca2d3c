#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/bench/bench.h"
#include "app/bench/bench_attention.h"
#include "app/bench/bench_ops.h"
#include "app/cli/command.h"
#include "autograd/kernels/gemm.h"
#include "base/error.h"

namespace tapehead::cli {

namespace {

struct BenchOptions {
  std::string job = "all";
  std::vector<std::string> settings;
  Index length = 0;
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
          {"gflops", r.gflops > 0 ? Json(r.gflops) : Json(nullptr)},
          {"threads", r.threads},
          {"shards", r.shards},
          {"heap_allocations_per_step", or_null(r.heap_allocations_per_step)},
          {"other_allocations_per_step", or_null(r.other_allocations_per_step)},
          {"peak_rss_mb", r.peak_rss_mb}};
}

// Times training steps of one job, or of all four.
void bench_steps(const BenchOptions& options) {
  const std::vector<BenchJob> jobs =
      options.job == "all" ? bench_jobs() : std::vector<BenchJob>{find_bench_job(options.job)};
  for (const BenchJob& job : jobs) bench_config(job, options.settings);  // before a line is printed
  if (!options.json) {
    fmt::print("one training step, {} threads, matrix products by {}{}{}\n", options.threads,
               gemm_library(), options.settings.empty() ? "" : "; with ",
               fmt::join(options.settings, ", "));
    fmt::print("{:<14}{:>8}{:>11}{:>10}{:>13}{:>11}{:>13}{:>10}\n", "job", "shards", "median ms",
               "min ms", "tokens/s", "GFLOP/s", "allocations", "peak MB");
  }
  Json list = Json::array();
  for (const BenchJob& job : jobs) {
    const BenchResult r = run_bench(job, options.settings, options.threads, options.seconds);
    if (options.json) {
      list.push_back(to_json(r));
    } else {
      fmt::print("{:<14}{:>8}{:>11.3f}{:>10.3f}{:>13.0f}{:>11.1f}{:>13.2f}{:>10.0f}\n", r.job,
                 r.shards, r.median_ms, r.min_ms, r.tokens_per_s, r.gflops,
                 r.heap_allocations_per_step.value_or(std::nan("")), r.peak_rss_mb);
      std::fflush(stdout);
    }
  }
  if (options.json) print_json(options.job == "all" ? Json{{"jobs", list}} : list.front());
}

Json to_json(const OpBenchResult& r) {
  return {{"op", op_name(r.op)},
          {"size", r.size},
          {"shapes", r.shapes},
          {"forward_ms", r.forward_ms},
          {"forward_backward_ms", r.both_ms},
          {r.bound_by_flops ? "gflops" : "gb_per_s", r.rate},
          {"ceiling_fraction", r.ceiling_fraction}};
}

void bench_all_ops(const BenchOptions& options) {
  const MachineCeilings m = measure_machine(options.threads);
  constexpr double kSizes = 3;
  const double each = options.seconds / (kSizes * static_cast<double>(kAllOps.size()));
  if (!options.json) {
    fmt::print(
        "ceilings with {} threads: {:.0f} GFLOP/s ({:.0f} with one); copies of "
        "{:.0f} KB {:.0f} GB/s, of {:.0f} MB {:.0f} GB/s\n",
        m.threads, m.gflops, m.gflops_one_thread, m.copies.front().bytes / 1024,
        m.copies.front().gb_s, m.copies.back().bytes / (1024 * 1024), m.copies.back().gb_s);
    fmt::print("{:<16}{:<14}{:>12}{:>12}{:>10}{:>8}{:>10}  {}\n", "op", "size", "forward ms",
               "both ms", "rate", "", "ceiling", "inputs");
  }
  Json list = Json::array();
  for (const OpBenchResult& r : bench_ops(m, each)) {
    if (options.json) {
      list.push_back(to_json(r));
    } else {
      fmt::print("{:<16}{:<14}{:>12.4f}{:>12.4f}{:>10.1f}{:>8}{:>8.0f} %  {}\n", op_name(r.op),
                 r.size, r.forward_ms, r.both_ms, r.rate, r.bound_by_flops ? "GFLOP/s" : "GB/s",
                 100 * r.ceiling_fraction, r.shapes);
    }
  }
  if (options.json) {
    Json copies = Json::array();
    for (const MachineCeilings::Copy& copy : m.copies) {
      copies.push_back({{"bytes", copy.bytes}, {"gb_per_s", copy.gb_s}});
    }
    print_json({{"machine",
                 {{"threads", m.threads},
                  {"gflops_one_thread", m.gflops_one_thread},
                  {"gflops", m.gflops},
                  {"copies", copies}}},
                {"ops", list}});
  }
}

Json to_json(const AttentionBenchResult& r) {
  return {{"job", r.job},
          {"length", r.length},
          {"median_ms", r.median_ms},
          {"min_ms", r.min_ms},
          {"gflops", r.gflops > 0 ? Json(r.gflops) : Json(nullptr)},
          {"threads", r.threads},
          {"peak_rss_mb", r.peak_rss_mb}};
}

// Causal attention of growing length, or of one; or one of the documents' layers.
std::vector<AttentionBenchResult> run_attention(const BenchOptions& o) {
  constexpr Index kDocumentHeads = 8;
  if (o.job == "mha") return {bench_document_layer(kDocumentHeads, o.threads, o.seconds)};
  if (o.job == "mqa") return {bench_document_layer(1, o.threads, o.seconds)};
  if (o.length > 0) return {bench_attention(o.length, o.threads, o.seconds)};
  std::vector<AttentionBenchResult> results;
  for (Index length = 64; length <= 8192; length *= 2) {
    results.push_back(bench_attention(length, o.threads, o.seconds));
  }
  return results;
}

void bench_attention_jobs(const BenchOptions& options) {
  const std::vector<AttentionBenchResult> results = run_attention(options);
  if (options.json) {
    Json list = Json::array();
    for (const AttentionBenchResult& r : results) list.push_back(to_json(r));
    print_json(results.size() > 1 ? Json{{"jobs", list}} : list.front());
    return;
  }
  fmt::print("forward and backward, {} threads\n", options.threads);
  fmt::print("{:<14}{:>8}{:>12}{:>12}{:>10}{:>10}\n", "job", "length", "median ms", "min ms",
             "GFLOP/s", "peak MB");
  for (const AttentionBenchResult& r : results) {
    fmt::print("{:<14}{:>8}{:>12.4f}{:>12.4f}{:>10.1f}{:>10.0f}\n", r.job, r.length, r.median_ms,
               r.min_ms, r.gflops, r.peak_rss_mb);
  }
}

void bench_decoding(const BenchOptions& options) {
  constexpr Index kTokens = 512;
  const DecodeBenchResult r = bench_decode(kTokens, options.threads, options.seconds);
  if (options.json) {
    print_json({{"job", "decode"},
                {"tokens", r.tokens},
                {"median_ms", r.median_ms},
                {"min_ms", r.min_ms},
                {"tokens_per_s", r.tokens_per_s},
                {"threads", r.threads},
                {"peak_rss_mb", r.peak_rss_mb}});
    return;
  }
  fmt::print(
      "{} tokens with a KV cache, nanogpt-cpu model, context 1024, {} threads: {:.1f} ms, "
      "{:.0f} tokens/s\n",
      r.tokens, r.threads, r.median_ms, r.tokens_per_s);
}

// Throws ValueError for settings of a job that is no training step.
void check_settings(const BenchOptions& options) {
  constexpr std::array<std::string_view, 5> kNoSteps = {"ops", "attention", "mha", "mqa", "decode"};
  if (options.settings.empty()) return;
  if (std::ranges::find(kNoSteps, options.job) == kNoSteps.end()) return;
  throw ValueError(
      fmt::format("bench: --set {} changes a training step, and '{}' times none; use it with tiny, "
                  "toy, nanogpt-cpu, mid or all",
                  options.settings.front(), options.job));
}

void bench(const BenchOptions& options) {
  check_settings(options);
  if (options.job == "ops") return bench_all_ops(options);
  if (options.job == "decode") return bench_decoding(options);
  if (options.job == "attention" || options.job == "mha" || options.job == "mqa") {
    return bench_attention_jobs(options);
  }
  bench_steps(options);
}

}  // namespace

void add_bench(CLI::App& app, Outcome&) {
  auto options = std::make_shared<BenchOptions>();
  CLI::App* command = app.add_subcommand("bench", "time training steps, ops, attention, decoding");
  command
      ->add_option("JOB", options->job,
                   "a training step of tiny, toy, nanogpt-cpu, mid or all of them; ops: every op, "
                   "beside what the machine can do; attention: causal attention of growing length; "
                   "mha, mqa: the documents' layers; decode: writing with a KV cache")
      ->capture_default_str();
  command
      ->add_option("--set", options->settings,
                   "KEY=VALUE, changes the training step: model.layers=8, task.length=256, "
                   "train.batch=4, train.shards=2; repeatable")
      ->type_size(1)
      ->allow_extra_args(false);
  command->add_option("--length", options->length, "of the sequence, for attention; 0: 64 to 8192")
      ->transform(whole_number(0, Index{1} << 20))
      ->capture_default_str();
  command->add_option("--seconds", options->seconds, "how long to measure each job (ops: all)")
      ->transform(real_number(0, 3600))
      ->capture_default_str();
  add_threads_option(*command, options->threads);
  command->add_flag("--json", options->json, "print one JSON object");
  command->callback([options] { bench(*options); });
}

}  // namespace tapehead::cli
