#include "train/probe.h"

#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>

#include "analysis/probe_infos.h"
#include "autograd/ops/cross_entropy.h"
#include "tests/support/expect.h"
#include "tests/support/temp_dir.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/tiny_run.h"
#include "train/batch_loss.h"
#include "train/config/build_task.h"
#include "train/run_config.h"

namespace tapehead {
namespace {

using testing::TempDir;
using testing::tiny_run;

constexpr const char* kAll = "train.probe=attention,logits,entropy,gradients";

Metrics metrics_of(const fs::path& run) { return Metrics::load(metrics_path(run)); }

std::vector<ProbeSample> samples_named(const Metrics& metrics, std::string_view name) {
  std::vector<ProbeSample> found;
  for (const ProbeSample& s : metrics.probes()) {
    if (s.name == name) found.push_back(s);
  }
  return found;
}

std::vector<Index> steps_of(const std::vector<ProbeSample>& samples) {
  std::vector<Index> steps;
  for (const ProbeSample& s : samples) steps.push_back(s.step);
  return steps;
}

// What training measured, but for its speed.
std::vector<double> training_numbers(const Metrics& metrics) {
  std::vector<double> numbers;
  for (const TrainingRow& row : metrics.training()) {
    numbers.insert(numbers.end(), {row.loss, row.token_accuracy, row.lr, row.grad_norm});
  }
  return numbers;
}

TEST(Probe, ChangesNoBitOfTheTraining) {
  const Config without = tiny_run({{"train.probe=none"}});
  const Config with = tiny_run({{kAll}, {"train.probe_every=1"}});
  const TrainedModel a = train_in_memory(without, 1), b = train_in_memory(with, 2);
  EXPECT_EQ(a.summary.digest, b.summary.digest);
  EXPECT_EQ(training_numbers(a.metrics), training_numbers(b.metrics));
  EXPECT_TRUE(a.metrics.probes().empty());
  EXPECT_EQ(samples_named(b.metrics, "entropy/mean").size(), 25U);  // step 0 and 24 updates
}

TEST(Probe, HasTheSameBitsForAnyNumberOfThreads) {
  const Config c = tiny_run({{kAll}});
  EXPECT_EQ(train_in_memory(c, 1).metrics.probes(), train_in_memory(c, 3).metrics.probes());
}

TEST(Probe, IsTheSameAfterAnInterruption) {
  const TempDir dir;
  const Config c = tiny_run({{kAll}, {"train.probe_every=3"}});
  testing::run(c, dir / "whole");
  testing::run_until(c, dir / "parts", 12);
  testing::resume(c, dir / "parts");
  EXPECT_EQ(metrics_of(dir / "parts").probes(), metrics_of(dir / "whole").probes());
}

// As after a crash: the metrics have steps beyond the checkpoint.
TEST(Probe, SamplesBeyondTheCheckpointAreTakenAgain) {
  const TempDir dir;
  const Config c = tiny_run({{kAll}, {"train.probe_every=1"}});
  testing::run(c, dir / "whole");
  testing::run_until(c, dir / "parts", 12);
  fs::copy_file(metrics_path(dir / "whole"), metrics_path(dir / "parts"),
                fs::copy_options::overwrite_existing);
  testing::resume(c, dir / "parts");
  EXPECT_EQ(metrics_of(dir / "parts").probes(), metrics_of(dir / "whole").probes());
}

TEST(Probe, TakesStepZeroTheLastAndTenBetweenOrEveryNth) {
  const auto due = [](std::vector<Setting> settings) {
    settings.push_back({"train.steps=1005"});
    const Config c = tiny_run(settings);
    const auto task = build_task(c);
    const auto model = build_model(c, model_sizes(*task));
    const Probe probe(c, *task, *model, 1);
    std::vector<Index> steps;
    for (Index step = 0; step <= 1005; ++step) {
      if (probe.due(step)) steps.push_back(step);
    }
    return steps;
  };
  EXPECT_EQ(due({}), (std::vector<Index>{0, 101, 201, 302, 402, 503, 603, 704, 804, 905, 1005}));
  EXPECT_EQ(due({{"train.probe_every=400"}}), (std::vector<Index>{0, 400, 800, 1005}));
  EXPECT_TRUE(due({{"train.probe=none"}}).empty());
}

// The state in which a run stops early is recorded too, also when the validation that found the
// target was given up and is made again: here step 4 is due (every 4th) or not (every 100th).
TEST(Probe, TakesTheStepAtWhichTheTargetIsReached) {
  for (const char* every : {"train.probe_every=4", "train.probe_every=100"}) {
    SCOPED_TRACE(every);
    const TempDir dir;
    const Config c = tiny_run({{kAll},
                               {every},
                               {"train.eval_every=4"},
                               {"train.target_accuracy=1e-9"},
                               {"task.length=2"},
                               {"task.symbols=10"},
                               {"optimizer.lr=0.02"},
                               {"train.steps=300"}});
    const TrainSummary whole = testing::run(c, dir / "whole");
    ASSERT_TRUE(whole.reached_target);
    const Metrics expected = metrics_of(dir / "whole");
    EXPECT_EQ(expected.probes().back().step, whole.steps);
    TrainRequest request;
    request.config = c;
    request.folder = dir / "parts";
    // Asked once after each step and once in each validation, but for the last.
    const Index before = whole.steps - 1 + whole.steps / 4 - 1;
    Index asked = 0;
    request.stop_requested = [&asked, before] { return ++asked > before; };
    const TrainSummary part = train(request);
    EXPECT_EQ(part.steps, whole.steps);
    ASSERT_FALSE(part.reached_target);
    testing::resume(c, dir / "parts");
    EXPECT_EQ(metrics_of(dir / "parts").probes(), expected.probes());
  }
}

TEST(Probe, SamplesHaveTheDocumentedNamesAndShapes) {
  const Config c = tiny_run({{kAll}, {"model.layers=3"}, {"model.kv_heads=1"}});
  const TrainedModel m = train_in_memory(c, 1);
  std::map<std::string, std::vector<Index>> shapes;
  for (const ProbeSample& s : m.metrics.probes()) shapes[s.name] = s.shape;
  const Index n = m.task->length();
  const std::map<std::string, std::vector<Index>> expected = {{"attention/weights", {3, 2, n, n}},
                                                              {"entropy/above_0.99", {3, 2}},
                                                              {"entropy/exact_one", {3, 2}},
                                                              {"entropy/max_weight", {3, 2}},
                                                              {"entropy/mean", {3, 2}},
                                                              {"gradients/W_K", {3}},
                                                              {"gradients/W_O", {3}},
                                                              {"gradients/W_Q", {3}},
                                                              {"gradients/W_V", {3}},
                                                              {"gradients/k", {3, 1}},
                                                              {"gradients/q", {3, 2}},
                                                              {"logits/abs_mean", {3, 2}},
                                                              {"logits/max", {3, 2}},
                                                              {"logits/std", {3, 2}}};
  EXPECT_EQ(shapes, expected);
  EXPECT_EQ(steps_of(samples_named(m.metrics, "gradients/W_Q")).front(), 3);  // none at step 0
}

// The list of probes names what is recorded, and nothing else.
TEST(Probe, AnEncoderDecoderRecordsAllThatIsListed) {
  const Config c = tiny_run({{"model.kind=encoder_decoder"}, {"train.steps=1"}, {kAll}});
  std::set<std::string_view> recorded, listed;
  const TrainedModel m = train_in_memory(c, 1);
  for (const ProbeSample& s : m.metrics.probes()) recorded.insert(s.name);
  for (const ProbeInfo& probe : probe_infos()) {
    for (const auto& sample : probe.samples) listed.insert(sample.name);
  }
  EXPECT_EQ(recorded, listed);
}

TEST(Probe, SaysWhatTheLayersAndPositionsAreCalled) {
  const Config c =
      tiny_run({{"model.kind=encoder_decoder"}, {"train.steps=1"}, {"train.probe=entropy"}});
  const TrainedModel m = train_in_memory(c, 1);
  const AttentionLabels& labels = m.metrics.attention_labels();
  using enum AttentionKind;
  EXPECT_EQ(labels.layers,
            (std::vector<AttentionLayer>{{"encoder.blocks.0.attention", kSource, 2},
                                         {"decoder.blocks.0.attention", kSelf, 2},
                                         {"decoder.blocks.0.cross_attention", kCross, 2}}));
  Batch batch;
  m.task->held_out_batch(0, 1, batch);
  const auto text = [](const Vocabulary& symbols, const std::vector<TokenId>& tokens) {
    std::vector<std::string> result;
    for (const TokenId t : tokens) result.push_back(symbols.symbol(t));
    return result;
  };
  EXPECT_EQ(labels.symbols, text(m.task->symbols(), batch.inputs));
  EXPECT_EQ(labels.source_symbols, text(m.task->source_symbols(), batch.sources));
}

TEST(Probe, AnEncoderDecoderHasThreeKindsOfWeights) {
  const Config c =
      tiny_run({{"model.kind=encoder_decoder"}, {"train.steps=1"}, {"train.probe=attention"}});
  const TrainedModel m = train_in_memory(c, 1);
  const Index n = m.task->length(), source = m.task->source_length();
  ASSERT_NE(n, source);
  const auto shape = [&](const char* name) { return samples_named(m.metrics, name).front().shape; };
  EXPECT_EQ(shape("attention/weights"), (std::vector<Index>{1, 2, n, n}));
  EXPECT_EQ(shape("attention/cross"), (std::vector<Index>{1, 2, n, source}));
  EXPECT_EQ(shape("attention/source"), (std::vector<Index>{1, 2, source, source}));
}

// With scale 0 all logits are 0: weights are equal, and no gradient reaches queries and keys.
TEST(Probe, KnowsUniformAttention) {
  const Config c = tiny_run({{kAll}, {"model.scale=0"}, {"train.steps=2"}});
  const TrainedModel m = train_in_memory(c, 1);
  const Index n = m.task->length();
  double entropy = 0, largest = 0;  // of causal queries that see 2, 3, ..., n keys
  for (Index keys = 2; keys <= n; ++keys) {
    entropy += std::log(static_cast<double>(keys)) / static_cast<double>(n - 1);
    largest += 1.0 / static_cast<double>(keys) / static_cast<double>(n - 1);
  }
  const auto first = [&m](const char* name) {
    return samples_named(m.metrics, name).back().values.at(0);
  };
  EXPECT_NEAR(first("entropy/mean"), entropy, 1e-6);
  EXPECT_NEAR(first("entropy/max_weight"), largest, 1e-6);
  for (const char* zero : {"entropy/above_0.99", "entropy/exact_one", "logits/std", "logits/max",
                           "logits/abs_mean", "gradients/q", "gradients/k", "gradients/W_Q"}) {
    EXPECT_EQ(first(zero), 0) << zero;
  }
  EXPECT_GT(first("gradients/W_V"), 0);
}

TEST(Probe, KnowsSaturatedAttention) {
  const Config c =
      tiny_run({{"train.probe=entropy,logits"}, {"model.scale=1e6"}, {"train.steps=1"}});
  const TrainedModel m = train_in_memory(c, 1);
  EXPECT_GT(samples_named(m.metrics, "entropy/exact_one").front().values.at(0), 0.99);
  EXPECT_LT(samples_named(m.metrics, "entropy/mean").front().values.at(0), 0.01);
  EXPECT_GT(samples_named(m.metrics, "logits/std").front().values.at(0), 1e4);
}

// Twice the scale makes every logit twice as large.
TEST(Probe, LogitsFollowTheScale) {
  const auto logits = [](const char* scale) {
    return train_in_memory(tiny_run({{"train.probe=logits"}, {"train.steps=1"}, {scale}}), 1)
        .metrics;
  };
  const Metrics one = logits("model.scale=1"), two = logits("model.scale=2");
  for (const char* name : {"logits/std", "logits/abs_mean", "logits/max"}) {
    for (std::size_t head : {0U, 1U}) {
      EXPECT_NEAR(samples_named(two, name).front().values[head],
                  2 * samples_named(one, name).front().values[head], 1e-5)
          << name;
    }
  }
}

// Plain gradient descent moves a weight by the learning rate times its gradient.
TEST(Probe, GradientsOfWeightsAreThoseOfTheUpdate) {
  const std::vector<Setting> sgd = {{kAll},
                                    {"optimizer.name=sgd"},
                                    {"optimizer.lr=0.5"},
                                    {"optimizer.weight_decay=0"},
                                    {"optimizer.schedule=constant"},
                                    {"optimizer.warmup=0"},
                                    {"optimizer.clip=0"},
                                    {"train.steps=1"}};
  const Config c = tiny_run(sgd);
  const TrainedModel m = train_in_memory(c, 1);
  const auto before = build_model(c, model_sizes(*m.task));
  for (const auto& [sample, weight] :
       {std::pair{"gradients/W_Q", "blocks.0.attention.fc_q.weight"},
        std::pair{"gradients/W_K", "blocks.0.attention.fc_k.weight"},
        std::pair{"gradients/W_V", "blocks.0.attention.fc_v.weight"},
        std::pair{"gradients/W_O", "blocks.0.attention.fc_o.weight"}}) {
    const auto w0 = before->store.find(weight).value(), w1 = m.model->store.find(weight).value();
    double squares = 0;
    for (Index i = 0; i < w0.size(); ++i) {
      squares += std::pow((static_cast<double>(w1[i]) - static_cast<double>(w0[i])) / 0.5, 2);
    }
    const double norm = samples_named(m.metrics, sample).front().values.at(0);
    EXPECT_NEAR(norm, std::sqrt(squares), 1e-4 * norm) << sample;
    EXPECT_GT(norm, 0);
  }
}

TEST(Probe, WeightsOfTheFirstRowAreThoseOfThePass) {
  const Config c = tiny_run({{"train.probe=attention"}, {"train.steps=3"}});
  const TrainedModel m = train_in_memory(c, 1);
  Batch batch;
  m.task->held_out_batch(0, 1, batch);
  Tape<float> tape(Tape<float>::Mode::kInference);
  ModelTrace<float> trace;
  m.model->net->hidden(tape, input_rows(tape, batch, 0, 1), {}, &trace);
  const auto weights = trace.attention.front().weights.value();
  const ProbeSample sample = samples_named(m.metrics, "attention/weights").back();
  ASSERT_EQ(sample.step, 3);
  ASSERT_EQ(static_cast<Index>(sample.values.size()), weights.size());
  for (Index i = 0; i < weights.size(); ++i) {
    ASSERT_NEAR(sample.values[static_cast<std::size_t>(i)], weights[i], 1e-6);
  }
}

// The mean loss of the rows, over all positions, on a tape of our own.
TEST(Probe, GradientsOfQueriesAndKeysAreThoseOfTheMeanLoss) {
  const Config c = tiny_run({{kAll}, {"train.steps=1"}, {"model.kv_heads=1"}});
  const TrainedModel m = train_in_memory(c, 1);
  Batch batch;
  m.task->held_out_batch(0, std::min(m.task->held_out_rows(), Index{32}), batch);
  Tape<float> tape;
  ModelTrace<float> trace;
  const Var<float> logits = m.model->net->head(
      m.model->net->hidden(tape, input_rows(tape, batch, 0, batch.rows), {}, &trace));
  const Var<float> q = trace.attention.front().q, k = trace.attention.front().k;
  tape.keep_grad(q);
  tape.keep_grad(k);
  tape.backward(cross_entropy(logits, TokenTensor({batch.rows, batch.length}, batch.targets)));
  const auto norm = [](const Tensor<float>& x, Index head, Index heads) {
    const Index width = x.dim(2) / heads;
    double squares = 0;
    for (Index i = 0; i < x.size(); ++i) {
      if (i % x.dim(2) / width == head) squares += std::pow(static_cast<double>(x[i]), 2);
    }
    return std::sqrt(squares);
  };
  const ProbeSample of_q = samples_named(m.metrics, "gradients/q").back();
  for (const Index h : {0, 1}) {
    EXPECT_NEAR(of_q.values[static_cast<std::size_t>(h)] / norm(q.grad(), h, 2), 1, 1e-4);
  }
  const ProbeSample of_k = samples_named(m.metrics, "gradients/k").back();
  EXPECT_NEAR(of_k.values.at(0) / norm(k.grad(), 0, 1), 1, 1e-4);
}

TEST(ProbePlan, LeavesOutWhatIsTooLargeUnlessAskedForIt) {
  const auto plan = [](const char* probe, Index length) {
    const Config c = resolve_config({.settings = {{fmt::format("train.probe={}", probe)}}});
    return plan_probes(c, {.vocabulary = 10, .length = length});
  };
  // 2 layers of 4 heads: 8 n^2 weights a row.
  EXPECT_TRUE(plan("auto", 181).attention);
  EXPECT_FALSE(plan("auto", 182).attention);
  EXPECT_TRUE(plan("auto", 1448).entropy);
  EXPECT_FALSE(plan("auto", 1449).any());
  EXPECT_FALSE(plan("auto", 100).logits);
  EXPECT_TRUE(plan("attention", 5000).attention);
  EXPECT_FALSE(plan("attention", 5000).entropy);
  EXPECT_EQ(plan("entropy", 100).rows, 32);
  EXPECT_EQ(plan("entropy", 1000).rows, 2);
  EXPECT_EQ(plan("entropy", 5000).rows, 1);
  EXPECT_EQ(plan("entropy", 5000).pass_bytes(), 8.0 * 5000 * 5000 * 4);
}

TEST(ProbePlan, KindsWithoutAttentionHaveNothingToRecord) {
  const Config c = tiny_run({{"model.kind=lstm"}, {"model.heads=4"}, {"model.d_ff=64"}});
  EXPECT_TRUE(train_in_memory(c, 1).metrics.probes().empty());
  testing::expect_error<ValueError>(
      [] {
        tiny_run(
            {{"model.kind=gru"}, {"model.heads=4"}, {"model.d_ff=64"}, {"train.probe=entropy"}});
      },
      "train.probe = \"entropy\", but model.kind = \"gru\".*no attention to record");
}

TEST(ProbePlan, AListNamesKnownProbesOnce) {
  for (const char* wrong : {"", "all", "attention,", "entropy,entropy", "auto,logits"}) {
    testing::expect_error<ValueError>(
        [&] { tiny_run({{fmt::format("train.probe={}", wrong)}}); },
        "train.probe = .*it must be one of \"auto\", \"none\", or some of \"attention\"");
  }
  const ProbeChoice two{ProbeChoice::Mode::kListed, {ProbeKind::kEntropy, ProbeKind::kAttention}};
  const Config c = tiny_run({{"train.probe=entropy,attention"}});
  EXPECT_EQ(c.train.probe, two);
  EXPECT_THAT(to_toml(c), ::testing::HasSubstr("\nprobe = \"entropy,attention\"\n"));
}

// A run of before there were probes: its configuration does not have the keys.
TEST(Probe, OldRunsGoOn) {
  const TempDir dir;
  const Config c = tiny_run();
  std::string toml = to_toml(c);
  for (const char* key : {"probe = \"auto\"\n", "probe_every = 0\n"}) {
    toml.erase(toml.find(key), std::string_view(key).size());
  }
  EXPECT_EQ(parse_config(toml, "config.toml"), c);
  testing::run_until(c, dir / "run", 7);
  testing::write_bytes(config_path(dir / "run"), toml);
  EXPECT_EQ(testing::resume(resume_config(dir / "run", {}), dir / "run").steps, 24);
}

}  // namespace
}  // namespace tapehead
