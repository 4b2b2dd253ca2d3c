#include "train/sharded_pass.h"

#include <algorithm>

#include <fmt/format.h>

#include "autograd/error.h"
#include "autograd/kernels/parallel.h"
#include "autograd/ops/cross_entropy.h"
#include "autograd/ops/embedding.h"
#include "autograd/ops/mse_loss.h"
#include "autograd/ops/reshape.h"
#include "autograd/ops/scale.h"

namespace tapehead {

namespace {

// Numbers of a gradient buffer that one thread adds up at a time: a few pages, so that chunks are
// many enough to balance and long enough to stream.
constexpr Index kReduceChunk = 1 << 14;

// Copies the values of the first `count` counted places at or after `place`, `width` numbers each.
template <typename T>
void copy_counted(const Batch& batch, Index place, Index count, const std::vector<T>& values,
                  Index width, T* to) {
  for (Index copied = 0; copied < count; ++place) {
    if (batch.targets[static_cast<std::size_t>(place)] == kIgnoreTarget) continue;
    std::copy_n(values.begin() + place * width, width, to + copied * width);
    ++copied;
  }
}

// The first `count` counted targets of the rows from `first` on, in the tape's memory.
TokenTensor counted_tokens(Tape<float>& tape, const Batch& batch, Index first, Index count) {
  TokenTensor targets = tape.allocate<TokenId>({count});
  copy_counted(batch, first * batch.length, count, batch.targets, 1, targets.data());
  return targets;
}

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
    kernels::parallel_chunks(threads_, n, 1, [&run](Index s, Index) { run(s); });
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
  if (batch.target_width == 0) {
    const TokenTensor targets = counted_tokens(tape, batch, first, predicted.dim(0));
    shard.right_tokens = count_right(predicted.value(), targets);
  }
  const Var<float> loss = counted_loss(predicted, batch, first, normalizer, label_smoothing_);
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
  // On two cores, two to four shards were fastest for batches of up to 2048 tokens, and four leave
  // work for more cores (docs/performance.md): smaller shards make the matrix products too small,
  // and every shard more is a gradient buffer more to add up.
  constexpr Index kTokensPerShard = 128;
  constexpr Index kMostShards = 4;
  return std::clamp(rows * length / kTokensPerShard, Index{1}, std::min(rows, kMostShards));
}

Index counted_targets(const Batch& batch, Index first, Index rows) {
  const auto begin = batch.targets.begin() + first * batch.length;
  return rows * batch.length - std::count(begin, begin + rows * batch.length, kIgnoreTarget);
}

bool ranks_first(const float* logits, Index n, TokenId target) {
  return std::max_element(logits, logits + n) - logits == target;
}

TokenTensor token_rows(Tape<float>& tape, const std::vector<TokenId>& tokens, Index length,
                       Index first, Index rows) {
  TokenTensor result = tape.allocate<TokenId>({rows, length});
  std::copy_n(tokens.begin() + first * length, rows * length, result.data());
  return result;
}

SequenceInput<float> input_rows(Tape<float>& tape, const Batch& batch, Index first, Index rows) {
  SequenceInput<float> input;
  if (batch.feature_width > 0) {
    const Index row = batch.length * batch.feature_width;
    input.features = tape.allocate({rows, batch.length, batch.feature_width});
    std::copy_n(batch.features.begin() + first * row, rows * row, input.features.data());
  } else {
    input.tokens = token_rows(tape, batch.inputs, batch.length, first, rows);
  }
  if (batch.source_length > 0) {
    input.sources = token_rows(tape, batch.sources, batch.source_length, first, rows);
  }
  return input;
}

Var<float> predict_counted(Tape<float>& tape, const SequenceModel<float>& net, const Batch& batch,
                           Index first, Index rows, ModelTrace<float>* trace) {
  const Var<float> hidden = net.hidden(tape, input_rows(tape, batch, first, rows), {}, trace);
  const Index places = rows * batch.length, width = hidden.dim(2);
  const Index counted = counted_targets(batch, first, rows);
  const Var<float> all = reshape(hidden, {places, width});
  if (counted == places) return net.head(all);
  TokenTensor chosen = tape.allocate<TokenId>({counted});
  Index i = 0;
  for (Index place = 0; place < places; ++place) {
    const auto at = static_cast<std::size_t>(first * batch.length + place);
    if (batch.targets[at] != kIgnoreTarget) chosen[i++] = static_cast<TokenId>(place);
  }
  return net.head(embedding(all, chosen));  // the rows chosen, as if of a table
}

Var<float> counted_loss(const Var<float>& predicted, const Batch& batch, Index first,
                        double normalizer, double label_smoothing) {
  Tape<float>& tape = predicted.tape();
  const Index count = predicted.dim(0), first_place = first * batch.length;
  if (batch.target_width == 0) {
    CrossEntropyOptions options;
    options.label_smoothing = label_smoothing;
    options.normalizer = normalizer;
    return cross_entropy(predicted, counted_tokens(tape, batch, first, count), options);
  }
  if (label_smoothing > 0) {
    throw ValueError(fmt::format(
        "train.label_smoothing = {}, but the targets are real numbers, which have no other tokens "
        "to spread a share over; set it to 0",
        label_smoothing));
  }
  Tensor<float> targets = tape.allocate({count, batch.target_width});
  copy_counted(batch, first_place, count, batch.real_targets, batch.target_width, targets.data());
  return scale(mse_loss(predicted, tape.leaf(targets)), static_cast<double>(count) / normalizer);
}

}  // namespace tapehead
