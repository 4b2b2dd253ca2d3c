#include "train/bench.h"

#include <sys/resource.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "autograd/error.h"
#include "autograd/kernels/denormals.h"
#include "autograd/random.h"
#include "optim/clip.h"
#include "train/allocation_counter.h"
#include "train/bench_timing.h"
#include "train/build_model.h"
#include "train/build_optimizer.h"
#include "train/sharded_pass.h"

namespace tapehead {

const std::vector<BenchJob>& bench_jobs() {
  static const std::vector<BenchJob> jobs = {
      {"tiny", 16, 16, 32, 2, 1, 32},
      {"toy", 16, 32, 64, 4, 2, 64},
      {"nanogpt-cpu", 65, 64, 128, 4, 4, 12},
      {"mid", 65, 256, 384, 6, 6, 8},
  };
  return jobs;
}

double bench_flops(const BenchJob& job) {
  const auto d = static_cast<double>(job.d_model);
  const double tokens = static_cast<double>(job.batch * job.length);
  const double weights = static_cast<double>(job.layers) * 12 * d * d +  // 4 d^2 + 2 * 4 d^2
                         d * static_cast<double>(job.vocabulary);
  const double attention = static_cast<double>(job.layers * job.length) * d;
  return tokens * (6 * weights + 12 * attention);
}

const BenchJob& find_bench_job(const std::string& name) {
  std::vector<std::string> names;
  for (const BenchJob& job : bench_jobs()) {
    if (job.name == name) return job;
    names.push_back(job.name);
  }
  throw ValueError(fmt::format(
      "bench: there is no job '{}'; there are: {}, all, ops, attention, mha, mqa, decode", name,
      fmt::join(names, ", ")));
}

Config bench_config(const BenchJob& job) {
  Config c;
  c.model.d_model = job.d_model;
  c.model.layers = job.layers;
  c.model.heads = c.model.kv_heads = job.heads;
  c.model.d_ff = 4 * job.d_model;
  c.optimizer.weight_decay = 0.1;
  return c;
}

double peak_rss_mb() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024.0;  // Linux counts kilobytes
}

namespace {

Batch random_batch(const BenchJob& job) {
  Batch batch;
  batch.resize(job.batch, job.length);
  Random random(1);
  for (TokenId& t : batch.inputs) t = static_cast<TokenId>(random.below(job.vocabulary));
  for (TokenId& t : batch.targets) t = static_cast<TokenId>(random.below(job.vocabulary));
  return batch;
}

// One job: everything that a step needs, as the training loop holds it.
class Job {
 public:
  Job(const BenchJob& job, int threads)
      : threads_(threads),
        config_(bench_config(job)),
        model_(build_model(config_, {job.vocabulary, job.length})),
        optimizer_(build_optimizer<float>(config_.optimizer, model_->store)),
        pass_(*model_->net, model_->store, default_shards(job.batch, job.length), threads),
        batch_(random_batch(job)) {}

  void step() {
    const auto tokens = static_cast<double>(batch_.rows * batch_.length);
    pass_.begin(1, static_cast<std::uint64_t>(optimizer_->step_count()));
    pass_.add(batch_, 0, batch_.rows, tokens);
    pass_.finish();
    const Clipping clipping =
        clip_by_global_norm(model_->store, pass_.gradients(), config_.optimizer.clip, threads_);
    optimizer_->step(model_->store.values(), pass_.gradients(), config_.optimizer.lr,
                     clipping.factor, threads_);
  }

 private:
  int threads_;
  Config config_;
  std::unique_ptr<Model> model_;
  std::unique_ptr<Optimizer<float>> optimizer_;
  ShardedPass pass_;
  Batch batch_;
};

}  // namespace

BenchResult run_bench(const BenchJob& job, int threads, double seconds) {
  const kernels::FlushDenormals flush;
  Job running(job, threads);
  std::optional<HeapAllocations> allocations;
  const Timing timing = time_calls(
      seconds, [&] { running.step(); }, [&] { allocations = heap_allocations(); });
  BenchResult result;
  const auto steps = static_cast<double>(timing.calls);
  if (allocations) {
    const HeapAllocations now = *heap_allocations();
    result.heap_allocations_per_step = static_cast<double>(now.cpp - allocations->cpp) / steps;
    result.other_allocations_per_step =
        static_cast<double>(now.libraries - allocations->libraries) / steps;
  }
  result.job = job.name;
  result.threads = threads;
  result.min_ms = timing.min_ms;
  result.median_ms = timing.median_ms;
  result.tokens_per_s = static_cast<double>(job.batch * job.length) / (result.median_ms / 1e3);
  result.gflops = bench_flops(job) / (result.median_ms * 1e6);
  result.peak_rss_mb = peak_rss_mb();
  return result;
}

}  // namespace tapehead
