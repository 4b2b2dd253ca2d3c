#include "app/bench/bench.h"

#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/bench/allocation_counter.h"
#include "app/bench/bench_timing.h"
#include "base/denormals.h"
#include "base/error.h"
#include "base/random.h"
#include "optim/clip.h"
#include "train/build_model.h"
#include "train/build_optimizer.h"
#include "train/config/config_reader.h"
#include "train/memory_estimate.h"
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

double bench_flops(const Config& config, Index vocabulary) {
  const ModelConfig& m = config.model;
  const ModelTraits& traits = traits_of(m.kind);
  if (!traits.attends || traits.reads_sources()) return 0;
  const Index queries = m.heads * m.effective_head_dim(),
              keys = m.effective_kv_heads() * m.effective_head_dim();
  const Index layer = 2 * m.d_model * (queries + keys + m.effective_d_ff());
  const auto weights = static_cast<double>(m.layers * layer + m.d_model * vocabulary);
  const auto attention = static_cast<double>(m.layers * config.task.length * queries);
  const auto tokens = static_cast<double>(config.train.batch * config.task.length);
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

namespace {

ModelSizes sizes_of(const BenchJob& job, const Config& config) {
  return {.vocabulary = job.vocabulary, .length = config.task.length};
}

// Whether a step on random tokens depends on the key that differs.
bool matters_to_a_step(std::string_view key) {
  constexpr std::array<std::string_view, 3> kOthers = {"task.length", "train.batch",
                                                       "train.shards"};
  return key.starts_with("model.") || key.starts_with("optimizer.") ||
         std::ranges::find(kOthers, key) != kOthers.end();
}

void check_no_sources(ModelKind kind) {
  if (!traits_of(kind).reads_sources()) return;
  std::vector<std::string_view> others;
  for (const ModelTraits& t : model_traits()) {
    if (!t.reads_sources()) others.push_back(t.name);
  }
  throw ValueError(
      fmt::format("bench: model.kind = \"{}\" needs sources, and a step is timed on random tokens "
                  "alone; choose one of {}",
                  traits_of(kind).name, fmt::join(others, ", ")));
}

}  // namespace

Config bench_config(const BenchJob& job, const std::vector<std::string>& settings) {
  Config c;
  c.task.length = job.length;
  c.model.d_model = job.d_model;
  c.model.layers = job.layers;
  c.model.heads = job.heads;
  c.optimizer.weight_decay = 0.1;
  c.train.batch = job.batch;
  ConfigReader reader(c, "job " + job.name);
  for (const std::string& assignment : settings) reader.apply({assignment});
  const Config changed = reader.finish();
  for (const ConfigDifference& d : differences(changed, c)) {
    if (matters_to_a_step(d.key)) continue;
    throw ValueError(fmt::format(
        "bench: {} = {}, which does not change a step on random tokens; what does are the keys of "
        "model and optimizer, task.length, train.batch and train.shards",
        d.key, d.ours));
  }
  check_no_sources(changed.model.kind);
  check_memory(changed, sizes_of(job, changed), physical_memory());
  return changed;
}

double peak_rss_mb() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024.0;  // Linux counts kilobytes
}

namespace {

Batch random_batch(Index rows, const ModelSizes& sizes) {
  Batch batch;
  batch.resize(rows, sizes.length);
  Random random(1);
  for (TokenId& t : batch.inputs) t = static_cast<TokenId>(random.below(sizes.vocabulary));
  for (TokenId& t : batch.targets) t = static_cast<TokenId>(random.below(sizes.vocabulary));
  return batch;
}

Index shards_of(const Config& config) {
  const TrainConfig& t = config.train;
  return t.shards > 0 ? t.shards : default_shards(t.batch, config.task.length);
}

// One job: everything that a step needs, as the training loop holds it.
class Job {
 public:
  Job(const Config& config, const ModelSizes& sizes, int threads)
      : threads_(threads),
        config_(config),
        model_(build_model(config_, sizes)),
        optimizer_(build_optimizer<float>(config_.optimizer, model_->store)),
        pass_(*model_->net, model_->store, shards_of(config_), threads),
        batch_(random_batch(config_.train.batch, sizes)) {}

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

BenchResult run_bench(const BenchJob& job, const std::vector<std::string>& settings, int threads,
                      double seconds) {
  const FlushDenormals flush;
  const Config config = bench_config(job, settings);
  Job running(config, sizes_of(job, config), threads);
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
  result.shards = shards_of(config);
  result.min_ms = timing.min_ms;
  result.median_ms = timing.median_ms;
  const auto tokens = static_cast<double>(config.train.batch * config.task.length);
  result.tokens_per_s = tokens / (result.median_ms / 1e3);
  result.gflops = bench_flops(config, job.vocabulary) / (result.median_ms * 1e6);
  result.peak_rss_mb = peak_rss_mb();
  return result;
}

}  // namespace tapehead
