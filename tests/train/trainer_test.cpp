#include "train/trainer.h"

#include <fstream>

#include <fmt/format.h>

#include "tests/support/expect.h"
#include "tests/support/temp_dir.h"
#include "tests/support/tiny_run.h"
#include "train/checkpoint_folder.h"
#include "train/config/build_task.h"
#include "train/metrics.h"
#include "train/run_folder.h"

namespace tapehead {
namespace {

using testing::resume;
using testing::run;
using testing::run_until;
using testing::TempDir;
using testing::tiny_run;

TEST(Trainer, ThreadsChangeNoBit) {
  const TempDir dir;
  const std::string one = run(tiny_run(), dir.path() / "one", 1).digest;
  EXPECT_EQ(run(tiny_run(), dir.path() / "two", 2).digest, one);
  EXPECT_EQ(run(tiny_run(), dir.path() / "three", 3).digest, one);
}

TEST(Trainer, ThreadsChangeNoBitWithOneShard) {
  const TempDir dir;
  Config c = tiny_run();
  c.train.shards = 1;
  const std::string one = run(c, dir.path() / "one", 1).digest;
  EXPECT_EQ(run(c, dir.path() / "three", 3).digest, one);
}

TEST(Trainer, TrainsInMemoryToTheSameBits) {
  const TempDir dir;
  Config c = tiny_run();
  c.train.eval_every = 12;
  const TrainSummary on_disk = run(c, dir.path() / "run");
  for (const int threads : {1, 2}) {
    const TrainedModel trained = train_in_memory(c, threads);
    EXPECT_EQ(trained.summary.digest, on_disk.digest);
    EXPECT_EQ(trained.summary.loss, on_disk.loss);
    EXPECT_EQ(trained.metrics.validation(),
              Metrics::load(metrics_path(dir.path() / "run")).validation());
    EXPECT_EQ(evaluate(*trained.model->net, *trained.task, 1).loss,
              on_disk.evaluation.value().loss);
  }
  const TrainedModel stopped = train_in_memory(c, 1, [] { return true; });
  EXPECT_TRUE(stopped.summary.interrupted);
  EXPECT_EQ(stopped.summary.steps, 1);
  EXPECT_FALSE(stopped.summary.evaluation.has_value());
}

// Not counted by the checkpoint, so that a longer run has the rows of one that never stopped.
TEST(Trainer, TheLastEvaluationStandsInTheMetrics) {
  const TempDir dir;
  Config c = tiny_run();
  c.train.eval_every = 0;
  const TrainSummary summary = run(c, dir.path() / "run");
  const auto rows = Metrics::load(metrics_path(dir.path() / "run")).validation();
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].step, c.train.steps);
  EXPECT_EQ(rows[0].validation_loss, summary.evaluation.value().loss);
  EXPECT_EQ(load_run(dir.path() / "run").info.validation_rows, 0);
}

TEST(Trainer, AnotherSeedGivesOtherBits) {
  const TempDir dir;
  Config other = tiny_run();
  other.train.seed = 2;
  EXPECT_NE(run(tiny_run(), dir.path() / "a").digest, run(other, dir.path() / "b").digest);
}

TEST(Trainer, EvaluationChangesNoBit) {
  const TempDir dir;
  Config often = tiny_run();
  often.train.eval_every = 3;
  EXPECT_EQ(run(often, dir.path() / "often").digest, run(tiny_run(), dir.path() / "never").digest);
}

TEST(Trainer, InterruptedAndResumedEqualsUninterrupted) {
  const TempDir dir;
  const Config c = tiny_run();
  const TrainSummary whole = run(c, dir.path() / "whole");
  const TrainSummary part = run_until(c, dir.path() / "parts", 7);
  EXPECT_TRUE(part.interrupted);
  EXPECT_EQ(part.steps, 7);
  const TrainSummary rest = resume(c, dir.path() / "parts");
  EXPECT_EQ(rest.digest, whole.digest);
  EXPECT_EQ(rest.loss, whole.loss);
  const auto a = Metrics::load(metrics_path(dir.path() / "whole")).training();
  const auto b = Metrics::load(metrics_path(dir.path() / "parts")).training();
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].loss, b[i].loss);
    EXPECT_EQ(a[i].grad_norm, b[i].grad_norm);
  }
}

TEST(Trainer, LosingTheStepsSinceTheLastCheckpointLosesNoBit) {
  // As after SIGKILL: the newest checkpoint is older than the last step made.
  const TempDir dir;
  const Config c = tiny_run();
  const std::string whole = run(c, dir.path() / "whole").digest;
  run_until(c, dir.path() / "killed", 12);
  const auto files = list_checkpoints(dir.path() / "killed");
  ASSERT_EQ(files.size(), 2U);
  fs::remove(files.front());  // that of step 12; step 10's is left
  EXPECT_EQ(resume(c, dir.path() / "killed").digest, whole);
}

TEST(Trainer, ADamagedCheckpointIsPassedOver) {
  const TempDir dir;
  const Config c = tiny_run();
  const std::string whole = run(c, dir.path() / "whole").digest;
  run_until(c, dir.path() / "damaged", 12);
  fs::resize_file(list_checkpoints(dir.path() / "damaged").front(), 1000);
  EXPECT_EQ(resume(c, dir.path() / "damaged").digest, whole);
}

TEST(Trainer, AccumulationComesCloseToTheLargeBatch) {
  const TempDir dir;
  Config whole = tiny_run();
  whole.train.steps = 3;
  Config parts = whole;
  parts.train.batch = 4;
  parts.train.accumulate = 4;
  // The same rows, summed in another order.
  EXPECT_NEAR(run(parts, dir.path() / "parts").loss, run(whole, dir.path() / "whole").loss, 1e-4);
}

TEST(Trainer, StopsAtTheTargetAccuracy) {
  const TempDir dir;
  Config c = tiny_run();
  c.train.eval_every = 2;
  c.train.target_accuracy = 1e-9;  // reached as soon as one held-out sequence is right
  c.task.length = 2;
  c.task.symbols = 10;
  c.optimizer.lr = 0.02;
  c.train.steps = 300;
  const TrainSummary s = run(c, dir.path() / "run");
  EXPECT_TRUE(s.reached_target);
  EXPECT_LT(s.steps, 300);
  EXPECT_EQ(resume(c, dir.path() / "run").steps, s.steps);
}

TEST(Trainer, RefusesAFolderThatIsInUse) {
  const TempDir dir;
  fs::create_directory(dir.path() / "run");
  std::ofstream(dir.path() / "run" / "precious.txt") << "data";
  testing::expect_error<IoError>([&] { run(tiny_run(), dir.path() / "run"); },
                                 "run: exists already; choose another --out");
  EXPECT_TRUE(fs::exists(dir.path() / "run" / "precious.txt"));
}

TEST(Trainer, ARunThatFailsAtOnceLeavesNoFolderInTheWay) {
  const TempDir dir;
  Config c = tiny_run();
  c.train.batch = Index{1} << 12;
  c.train.accumulate = Index{1} << 13;  // more rows than a step can have, found when it is made
  testing::expect_error<ValueError>([&] { run(c, dir.path() / "new"); },
                                    "a batch of 33554432 rows");
  EXPECT_FALSE(fs::exists(dir.path() / "new"));
  fs::create_directory(dir.path() / "there");
  testing::expect_error<ValueError>([&] { run(c, dir.path() / "there"); }, "a batch");
  EXPECT_TRUE(fs::is_empty(dir.path() / "there"));
  EXPECT_EQ(run(tiny_run(), dir.path() / "there").steps, 24);
}

TEST(Trainer, ANonFiniteGradientStopsTheRunAndSaysWhere) {
  const TempDir dir;
  Config c = tiny_run();
  c.optimizer.name = OptimizerKind::kSgd;
  c.optimizer.lr = 1e30;
  c.optimizer.clip = 0;
  testing::expect_error<NonFiniteError>([&] { run(c, dir.path() / "run"); }, "weight|bias");
}

TEST(Trainer, LoadedRunHasTheSameBits) {
  const TempDir dir;
  const TrainSummary s = run(tiny_run(), dir.path() / "run");
  const LoadedRun loaded = load_run(dir.path() / "run");
  EXPECT_EQ(loaded.info.digest, s.digest);
  const auto task = build_task(loaded.config);
  EXPECT_EQ(evaluate(*loaded.model->net, *task, 1).loss, s.evaluation.value().loss);
}

// Of every kind of model: the same bits for any number of threads and after an interruption, and
// what is loaded is what was trained.
TEST(Trainer, TrainsStoresAndLoadsEveryKindOfModel) {
  for (const char* kind : {"encoder", "encoder_decoder", "rnn", "lstm", "gru", "conv"}) {
    SCOPED_TRACE(kind);
    const TempDir dir;
    const Config c = tiny_run({{fmt::format("model.kind={}", kind)},
                               {"model.heads=4"},
                               {"model.d_ff=64"},
                               {"train.steps=8"}});
    const TrainSummary s = run(c, dir.path() / "run", 2);
    EXPECT_EQ(run(c, dir.path() / "one", 1).digest, s.digest);
    run_until(c, dir.path() / "parts", 5);
    EXPECT_EQ(resume(c, dir.path() / "parts").digest, s.digest);
    const LoadedRun loaded = load_run(dir.path() / "run");
    const auto task = build_task(loaded.config);
    EXPECT_EQ(evaluate(*loaded.model->net, *task, 1).loss, s.evaluation.value().loss);
    EXPECT_EQ(loaded.context, task->length());
    EXPECT_FALSE(s.sample.empty());
    EXPECT_EQ(s.attention.has_value(), traits_of(c.model.kind).attends);
  }
}

TEST(Trainer, EveryCausalKindLearnsToCopy) {
  for (const char* kind : {"encoder_decoder", "rnn", "lstm", "gru", "conv"}) {
    SCOPED_TRACE(kind);
    const TempDir dir;
    Config c = tiny_run({{fmt::format("model.kind={}", kind)},
                         {"task.name=copy"},
                         {"task.length=3"},
                         {"task.symbols=8"},
                         {"model.heads=4"},
                         {"model.d_model=32"},
                         {"model.d_ff=128"},
                         {"model.layers=2"},
                         {"model.dropout=0"},
                         {"train.batch=64"},
                         {"train.steps=500"},
                         {"optimizer.lr=1e-2"}});
    EXPECT_GE(run(c, dir.path() / "run", 2).evaluation.value().accuracy.value_or(0), 0.95);
  }
}

TEST(Trainer, LearnsToReverse) {
  const TempDir dir;
  Config c = tiny_run();
  c.model.d_model = 32;
  c.model.d_ff = 64;
  c.model.dropout = 0;
  c.optimizer.lr = 5e-3;
  c.train.batch = 64;
  c.train.steps = 600;
  c.train.checkpoint_every = 0;
  const TrainSummary s = run(c, dir.path() / "run", 2);
  EXPECT_LT(s.loss, 0.05);
  EXPECT_GE(s.evaluation.value().accuracy.value_or(0), 0.99);
}

}  // namespace
}  // namespace tapehead
