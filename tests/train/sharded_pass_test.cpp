#include "train/sharded_pass.h"

#include "autograd/ops/cross_entropy.h"
#include "autograd/random.h"
#include "tests/support/expect.h"

namespace tapehead {
namespace {

TransformerConfig small_model(double dropout) {
  TransformerConfig c;
  c.vocabulary = 11;
  c.length = 8;
  c.layers = 1;
  c.block.width = 16;
  c.block.heads = 2;
  c.block.hidden = 32;
  c.block.dropout = dropout;
  return c;
}

struct Fixture {
  ParameterStore<float> store;
  Transformer<float> net;
  Batch batch;

  explicit Fixture(double dropout = 0) : net(Builder<float>(store, 1), small_model(dropout)) {
    batch.resize(7, 8);
    Random random(2);
    for (TokenId& t : batch.inputs) t = static_cast<TokenId>(random.below(11));
    for (TokenId& t : batch.targets) t = static_cast<TokenId>(random.below(11));
    // Rows differ in how many targets count, so that averaging by shard would show.
    for (std::size_t i = 0; i < 20; ++i) batch.targets[i] = kIgnoreTarget;
  }
};

struct Result {
  double loss;
  Tensor<float> gradients;
};

Result run(Fixture& f, Index shards, int threads, Index micro_batch = 7) {
  ShardedPass pass(f.net, f.store, shards, threads);
  const auto counted = static_cast<double>(counted_targets(f.batch, 0, 7));
  Result result{0, {}};
  for (int repeat = 0; repeat < 2; ++repeat) {  // the second pass must not see the first
    result.loss = 0;
    pass.begin(3, 5);
    for (Index first = 0; first < 7; first += micro_batch) {
      result.loss += pass.add(f.batch, first, std::min(micro_batch, 7 - first), counted);
    }
    pass.finish();
  }
  result.gradients = pass.gradients().clone();
  return result;
}

TEST(ShardedPass, BitsDoNotDependOnThreads) {
  for (const Index shards : {1, 2, 3}) {
    Fixture f(0.2);
    const Result one = run(f, shards, 1);
    for (const int threads : {2, 3}) {
      const Result more = run(f, shards, threads);
      EXPECT_EQ(more.loss, one.loss);
      testing::expect_bits_equal(more.gradients, one.gradients);
    }
  }
}

TEST(ShardedPass, ShardsAndMicroBatchesAddUpToTheWholeBatch) {
  Fixture f(0.2);
  const Result whole = run(f, 1, 1);
  // Float sums of some 50 terms of order 1 in another order: a few eps * sqrt(50).
  constexpr double kRounding = 1e-6;
  for (const Index shards : {2, 7}) {
    const Result cut = run(f, shards, 1);
    EXPECT_NEAR(cut.loss, whole.loss, 1e-5);
    testing::expect_near(cut.gradients, whole.gradients, kRounding);
  }
  const Result accumulated = run(f, 2, 1, 3);
  EXPECT_NEAR(accumulated.loss, whole.loss, 1e-5);
  testing::expect_near(accumulated.gradients, whole.gradients, kRounding);
}

TEST(ShardedPass, LossIsTheMeanOverCountedTargets) {
  Fixture f;
  Tape<float> tape;
  const TokenTensor inputs = token_rows(tape, f.batch.inputs, 8, 0, 7);
  const TokenTensor targets = token_rows(tape, f.batch.targets, 8, 0, 7);
  const float loss = cross_entropy(f.net.forward(tape, inputs), targets).value().item();
  EXPECT_NEAR(run(f, 3, 1).loss, static_cast<double>(loss), 1e-5);
}

TEST(ShardedPass, AnErrorInAShardReachesTheCaller) {
  Fixture f;
  f.batch.inputs[40] = 99;
  testing::expect_error<ValueError>([&] { run(f, 2, 2); }, "99");
}

TEST(ShardedPass, DefaultShardsFollowTheSizesAlone) {
  EXPECT_EQ(default_shards(1, 4096), 1);
  EXPECT_EQ(default_shards(2, 16), 1);
  EXPECT_GE(default_shards(12, 64), 2);
}

}  // namespace
}  // namespace tapehead
