#include "train/sharded_pass.h"
#include "train/batch_loss.h"

#include <algorithm>

#include "autograd/ops/cross_entropy.h"
#include "base/random.h"
#include "layers/transformer.h"
#include "tests/support/expect.h"

namespace tapehead {
namespace {

TransformerConfig small_model(double dropout) {
  TransformerConfig c;
  c.vocabulary = 11;
  c.length = 8;
  c.layers = 1;
  c.block.d_model = 16;
  c.block.heads = 2;
  c.block.d_ff = 32;
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

TEST(ShardedPass, CountsTheTargetsThatTheModelRanksFirst) {
  Fixture f;
  Tape<float> tape(Tape<float>::Mode::kInference);
  const Tensor<float> logits =
      f.net.forward(tape, token_rows(tape, f.batch.inputs, 8, 0, 7)).value();
  Index right = 0, other = 0;
  for (Index place = 0; place < 7 * 8; ++place) {
    const float* x = logits.data() + place * 11;
    const auto best = static_cast<TokenId>(std::max_element(x, x + 11) - x);
    TokenId& target = f.batch.targets[static_cast<std::size_t>(place)];
    if (place % 3 == 0) target = best;  // some right, some wrong, some not asked
    if (target == kIgnoreTarget) continue;
    (target == best ? right : other) += 1;
  }
  ASSERT_GT(right, 10);
  ASSERT_GT(other, 10);
  for (const Index shards : {1, 3}) {
    ShardedPass pass(f.net, f.store, shards, 2);
    for (int repeat = 0; repeat < 2; ++repeat) {
      pass.begin(3, 5);
      for (Index first = 0; first < 7; ++first) pass.add(f.batch, first, 1, 1);
      EXPECT_EQ(pass.right_tokens(), right) << shards;
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

// Where few targets count, the projection is computed there only: the same loss and gradients as
// those of the projection of every place.
TEST(ShardedPass, FewTargetsGiveTheGradientsOfTheWholeProjection) {
  Fixture f;
  for (std::size_t i = 0; i < f.batch.targets.size(); ++i) {
    if (i % 9 != 4) f.batch.targets[i] = kIgnoreTarget;
  }
  Tape<float> tape;
  const Tensor<float> expected = f.store.make_buffer();
  tape.bind_gradients(f.store, expected);
  const TokenTensor inputs = token_rows(tape, f.batch.inputs, 8, 0, 7);
  const TokenTensor targets = token_rows(tape, f.batch.targets, 8, 0, 7);
  const Var<float> loss = cross_entropy(f.net.forward(tape, inputs), targets);
  const auto whole = static_cast<double>(loss.value().item());
  tape.backward(loss);
  for (const Index shards : {1, 3, 7}) {  // one row of the seven counts nothing
    const Result few = run(f, shards, 1);
    EXPECT_NEAR(few.loss, whole, 1e-5);
    // Float sums of a few dozen terms of order 1 in another order.
    testing::expect_near(few.gradients, expected, 1e-6);
  }
}

TEST(ShardedPass, NothingCountedIsNoLossAndNoGradient) {
  Fixture f;
  std::ranges::fill(f.batch.targets, kIgnoreTarget);
  ShardedPass pass(f.net, f.store, 2, 1);
  pass.begin(1, 1);
  EXPECT_EQ(pass.add(f.batch, 0, 7, 1), 0);
  pass.finish();
  testing::expect_bits_equal(pass.gradients(), f.store.make_buffer());
}

TEST(ShardedPass, RealTargetsHaveTheMeanSquaredError) {
  ParameterStore<float> store;
  TransformerConfig c = small_model(0);
  c.vocabulary = 0;
  c.features = 3;
  c.outputs = 2;
  const Transformer<float> net(Builder<float>(store, 1), c);
  Batch batch;
  batch.resize(7, 8);
  batch.resize_real(3, 2);
  Random random(2);
  for (float& x : batch.features) x = static_cast<float>(random.normal());
  for (float& y : batch.real_targets) y = static_cast<float>(random.normal());
  for (std::size_t i = 0; i < batch.targets.size(); ++i) {
    batch.targets[i] = i % 3 == 0 ? kIgnoreTarget : 0;
  }
  Tape<float> tape;
  const Var<float> y = net.head(net.hidden(tape, input_rows(tape, batch, 0, 7)));
  double sum = 0;
  for (Index t = 0; t < 56; ++t) {
    if (t % 3 == 0) continue;
    for (Index i = 2 * t; i < 2 * t + 2; ++i) {
      const auto error =
          static_cast<double>(y.value()[i] - batch.real_targets[static_cast<std::size_t>(i)]);
      sum += error * error;
    }
  }
  const auto counted = static_cast<double>(counted_targets(batch, 0, 7));
  ShardedPass pass(net, store, 3, 1);
  pass.begin(1, 1);
  EXPECT_NEAR(pass.add(batch, 0, 7, counted), sum / (2 * counted), 1e-5);
  pass.set_label_smoothing(0.1);
  testing::expect_error<ValueError>([&] { pass.add(batch, 0, 7, counted); },
                                    "label_smoothing = 0.1, but the targets are real numbers");
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
