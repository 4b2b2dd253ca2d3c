#include "train/sharded_pass.h"

#include <algorithm>

#include "base/parallel.h"
#include "train/batch_loss.h"

namespace tapehead {

namespace {

// Numbers of a gradient buffer that one thread adds up at a time: a few pages, so that chunks are
// many enough to balance and long enough to stream.
constexpr Index kReduceChunk = 1 << 14;

// How many of these targets `predicted`, a row of logits for each, ranks first.
Index count_right(const Tensor<float>& predicted, const TokenTensor& targets) {
  const Index vocabulary = predicted.dim(1);
  Index right = 0;
  for (Index i = 0; i < targets.size(); ++i) {
    right += ranks_first(predicted.data() + i * vocabulary, vocabulary, targets[i]) ? 1 : 0;
  }
  return right;
}

}  // namespace

ShardedPass::ShardedPass(const SequenceModel<float>& net, const ParameterStore<float>& store,
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
  right_tokens_ = 0;
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
    shard.right_tokens = 0;
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
    parallel_chunks(threads_, n, 1, [&run](Index s, Index) { run(s); });
  }
  double loss = 0;
  for (const auto& shard : shards_) {
    if (shard->error) std::rethrow_exception(shard->error);
    loss += shard->loss;
    right_tokens_ += shard->right_tokens;
  }
  return loss;
}

void ShardedPass::run_shard(Shard& shard, const Batch& batch, Index first, Index rows,
                            double normalizer) {
  if (counted_targets(batch, first, rows) == 0) return;  // neither loss nor gradient
  Tape<float>& tape = shard.tape;
  tape.clear();
  tape.context().first_row = first;
  const Var<float> predicted = predict_counted(tape, net_, batch, first, rows);
  const CountedTargets targets = copy_counted_targets(tape, batch, first, rows);
  if (targets.tokens.defined()) {
    shard.right_tokens = count_right(predicted.value(), targets.tokens);
  }
  const Var<float> loss = counted_loss(predicted, targets, normalizer, label_smoothing_);
  shard.loss = static_cast<double>(loss.value().item());
  tape.backward(loss);
}

void ShardedPass::finish() {
  if (shard_count() == 1) return;
  float* sum = shards_.front()->gradients.data();
  const Index size = shards_.front()->gradients.size();
  parallel_chunks(threads_, size, kReduceChunk, [&](Index begin, Index end) {
    for (std::size_t s = 1; s < shards_.size(); ++s) {
      const float* term = shards_[s]->gradients.data();
      for (Index i = begin; i < end; ++i) sum[i] += term[i];
    }
  });
}

Index default_shards(Index rows, Index length) {
  // On two cores, two to four shards were fastest for batches of up to 2048 tokens, and four leave
  // work for more cores (docs/performance.md): smaller shards make the matrix products too small,
  // and every shard more is a gradient buffer more to add up.
  constexpr Index kTokensPerShard = 128;
  constexpr Index kMostShards = 4;
  return std::clamp(rows * length / kTokensPerShard, Index{1}, std::min(rows, kMostShards));
}

}  // namespace tapehead
