#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/types.h"
#include "train/config/config.h"

namespace tapehead {

/// A training job whose step is timed: decoder-only, pre-norm, GELU, learned positions, AdamW with
/// clipping, float32, on random tokens.
struct BenchJob {
  std::string name;
  Index vocabulary, length, d_model, heads, layers, batch;
};

/// tiny, toy, nanogpt-cpu, mid.
const std::vector<BenchJob>& bench_jobs();
/// Throws ValueError, listing the jobs, for an unknown name.
const BenchJob& find_bench_job(const std::string& name);

/// The configuration of the job, with `settings` ("model.layers=8") laid over it. Throws ValueError
/// naming the key for one that a step on random tokens has no use for, if the machine's memory does
/// not hold the job, and as resolve_config().
Config bench_config(const BenchJob& job, const std::vector<std::string>& settings = {});

struct BenchResult {
  std::string job;
  double median_ms = 0, min_ms = 0;  ///< of one full step: zero, forward, backward, clip, update
  double tokens_per_s = 0;           ///< by the median
  double gflops = 0;                 ///< by the median and bench_flops(); 0 if that is
  int threads = 0;
  Index shards = 0;
  /// Through operator new; absent where they cannot be counted.
  std::optional<double> heap_allocations_per_step;
  /// By the libraries inside: Eigen allocates a buffer in large matrix products.
  std::optional<double> other_allocations_per_step;
  double peak_rss_mb = 0;  ///< of the process so far
};

/// Floating-point operations of one step: 6 a weight and token for the matrix products of linear
/// layers (2 forward, 4 backward), 12 a pair of positions, layer and channel for attention (of
/// which causal attention skips close to half; they are counted as if it did not). 0 for other
/// models than transformers.
double bench_flops(const Config& config, Index vocabulary);

/// Runs the job, changed by `settings`, for about `seconds` after a warm-up. Throws as
/// bench_config().
BenchResult run_bench(const BenchJob& job, const std::vector<std::string>& settings, int threads,
                      double seconds);

}  // namespace tapehead
