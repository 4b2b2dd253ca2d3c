#pragma once

#include <memory>
#include <vector>

#include "data/batch.h"
#include "layers/sequence_model.h"

namespace tapehead {

/// Forward and backward passes over a batch that is cut into shards.
///
/// The number of shards does not depend on the number of threads. Each shard has a tape and a
/// gradient buffer of its own, and the buffers are added in a fixed order: the bits of the gradient
/// are the same for any number of threads. With one shard, ops use the threads inside.
///
///     pass.begin(seed, step);
///     for each micro-batch: loss += pass.add(batch, first, rows, counted_tokens);
///     pass.finish();                                  // gradients() holds the sum
class ShardedPass {
 public:
  ShardedPass(const SequenceModel<float>& net, const ParameterStore<float>& store, Index shards,
              int threads);

  /// What the passes that follow are for; names dropout's random numbers.
  void begin(std::uint64_t seed, std::uint64_t step);
  /// Adds the gradients of rows [first, first + rows) of `batch`. The loss is the cross-entropy, or
  /// of real targets the mean squared error, over the counted targets divided by `normalizer`, the
  /// number of counted targets of the whole step. The output projection is computed at these only.
  /// Throws what the shards throw; of several errors, that of the first shard.
  double add(const Batch& batch, Index first, Index rows, double normalizer);
  /// Adds up the shards' gradients.
  void finish();

  /// The number of counted targets since begin() that the model ranked first. Real targets have no
  /// rank.
  Index right_tokens() const { return right_tokens_; }

  const Tensor<float>& gradients() const { return shards_.front()->gradients; }
  Index shard_count() const { return static_cast<Index>(shards_.size()); }
  void set_label_smoothing(double s) { label_smoothing_ = s; }
  void set_check_finite(bool check);

 private:
  struct Shard {
    Tape<float> tape;
    Tensor<float> gradients;
    double loss = 0;
    Index right_tokens = 0;
    std::exception_ptr error;
  };
  void run_shard(Shard& shard, const Batch& batch, Index first, Index rows, double normalizer);

  const SequenceModel<float>& net_;
  int threads_;
  Index right_tokens_ = 0;
  double label_smoothing_ = 0;
  std::vector<std::unique_ptr<Shard>> shards_;
};

/// The number of shards for batches of `rows` x `length` tokens, if the configuration leaves it
/// open: a function of the sizes alone.
Index default_shards(Index rows, Index length);

}  // namespace tapehead
