#include "train/sharded_pass.h"

#include <algorithm>

#include "autograd/kernels/parallel.h"
#include "autograd/ops/cross_entropy.h"

namespace tapehead {

namespace {

// Numbers of a gradient buffer that one thread adds up at a time: a few pages, so that chunks are
// many enough to balance and long enough to stream.
constexpr Index kReduceChunk = 1 << 14;

}  // namespace

ShardedPass::ShardedPass(const Transformer<float>& net, const ParameterStore<float>& store,
                         Index shards, int threads)
    : net_(net), threads_(threads) {
  for (Index s = 0; s < shards; ++s) {
    auto shard = std::make_unique<Shard>();
    shard->gradients = store.make_buffer();
    shard->tape.bind_gradients(store, shard->gradients);
    shard->tape.context().training = true;
    shard->tape.context().threads = shards == 1 ? threads : 0;
    shards_.push_back(std::move(shard));
  }
}

void ShardedPass::set_check_finite(bool check) {
  for (auto& shard : shards_) shard->tape.context().check_finite = check;
}

void ShardedPass::begin(std::uint64_t seed, std::uint64_t step) {
  for (auto& shard : shards_) {
    shard->tape.context().seed = seed;
    shard->tape.context().step = step;
    shard->gradients.fill(0.0F);
  }
}

double ShardedPass::add(const Batch& batch, Index first, Index rows, double normalizer) {
  const Index n = shard_count();
  const auto run = [&](Index s) {
    Shard& shard = *shards_[static_cast<std::size_t>(s)];
    const Index begin = rows * s / n;
    const Index end = rows * (s + 1) / n;
    shard.loss = 0;
    shard.error = nullptr;
    try {
      if (begin < end) run_shard(shard, batch, first + begin, end - begin, normalizer);
    } catch (...) {  // an exception must not leave a parallel region
      shard.error = std::current_exception();
    }
  };
  if (n == 1) {  // the ops use the threads
    run(0);
  } else {
    kernels::parallel_chunks(threads_, n, 1, [&run](Index s, Index) { run(s); });
  }
  double loss = 0;
  for (const auto& shard : shards_) {
    if (shard->error) std::rethrow_exception(shard->error);
    loss += shard->loss;
  }
  return loss;
}

void ShardedPass::run_shard(Shard& shard, const Batch& batch, Index first, Index rows,
                            double normalizer) {
  Tape<float>& tape = shard.tape;
  tape.clear();
  tape.context().first_row = first;
  const TokenTensor inputs = token_rows(tape, batch.inputs, batch.length, first, rows);
  const TokenTensor targets = token_rows(tape, batch.targets, batch.length, first, rows);
  CrossEntropyOptions options;
  options.label_smoothing = label_smoothing_;
  options.normalizer = normalizer;
  const Var<float> loss = cross_entropy(net_.forward(tape, inputs), targets, options);
  shard.loss = static_cast<double>(loss.value().item());
  tape.backward(loss);
}

void ShardedPass::finish() {
  if (shard_count() == 1) return;
  float* sum = shards_.front()->gradients.data();
  const Index size = shards_.front()->gradients.size();
  kernels::parallel_chunks(threads_, size, kReduceChunk, [&](Index begin, Index end) {
    for (std::size_t s = 1; s < shards_.size(); ++s) {
      const float* term = shards_[s]->gradients.data();
      for (Index i = begin; i < end; ++i) sum[i] += term[i];
    }
  });
}

Index default_shards(Index rows, Index length) {
  // An estimate, not yet measured: smaller shards make the matrix products too small, and every
  // shard more is a gradient buffer more to add up.
  constexpr Index kTokensPerShard = 128;
  constexpr Index kMostShards = 4;
  return std::clamp(rows * length / kTokensPerShard, Index{1}, std::min(rows, kMostShards));
}

Index counted_targets(const Batch& batch, Index first, Index rows) {
  const auto begin = batch.targets.begin() + first * batch.length;
  return rows * batch.length - std::count(begin, begin + rows * batch.length, kIgnoreTarget);
}

TokenTensor token_rows(Tape<float>& tape, const std::vector<TokenId>& tokens, Index length,
                       Index first, Index rows) {
  TokenTensor result = tape.allocate<TokenId>({rows, length});
  std::copy_n(tokens.begin() + first * length, rows * length, result.data());
  return result;
}

}  // namespace tapehead
