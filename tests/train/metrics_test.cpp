#include "train/metrics.h"

#include <cmath>
#include <limits>

#include "data/hdf5_file.h"
#include "tests/support/expect.h"
#include "tests/support/temporary_folder.h"
#include "train/attention_labels_file.h"

namespace tapehead {
namespace {

using testing::TemporaryFolder;

Metrics some_metrics(Index steps) {
  Metrics metrics;
  for (Index s = 1; s <= steps; ++s) {
    const auto x = static_cast<double>(s);
    metrics.append(TrainingRow{s, 1 / x, 0.5, 0.1 * x, 3 + x, 1e5 + x});
    if (s % 2 == 0) metrics.append(ValidationRow{s, 2 / x, 0.25, 0.125 * x});
  }
  return metrics;
}

TEST(Metrics, ReadsBackWhatItSaved) {
  const TemporaryFolder folder;
  const Metrics metrics = some_metrics(5);
  metrics.save(folder.path() / "metrics.h5");
  const Metrics loaded = Metrics::load(folder.path() / "metrics.h5");
  EXPECT_EQ(loaded.training(), metrics.training());
  EXPECT_EQ(loaded.validation(), metrics.validation());
  EXPECT_EQ(loaded.training().size(), 5u);
  EXPECT_EQ(loaded.validation().size(), 2u);
}

TEST(Metrics, EmptyOnesAndNanSurvive) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "metrics.h5";
  Metrics().save(path);
  Metrics metrics = Metrics::load(path);
  EXPECT_TRUE(metrics.training().empty());
  metrics.append(ValidationRow{1, 2, 3, std::numeric_limits<double>::quiet_NaN()});
  metrics.save(path);
  EXPECT_TRUE(std::isnan(Metrics::load(path).validation().at(0).accuracy));
}

TEST(Metrics, HasTheDocumentedLayout) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "metrics.h5";
  some_metrics(4).save(path);
  const Hdf5File file = Hdf5File::open(path);
  EXPECT_EQ(file.attribute_as<std::string>("/", "format"), "tapehead metrics");
  EXPECT_EQ(file.names("training"), (std::vector<std::string>{"grad_norm", "loss", "lr", "step",
                                                              "token_accuracy", "tokens_per_s"}));
  EXPECT_EQ(file.names("validation"),
            (std::vector<std::string>{"accuracy", "step", "token_accuracy", "validation_loss"}));
  EXPECT_EQ(file.read<Index>("training/step").values, (std::vector<Index>{1, 2, 3, 4}));
  EXPECT_EQ(file.read<double>("validation/validation_loss").values,
            (std::vector<double>{1.0, 0.5}));
  EXPECT_TRUE(file.info("training/loss").checksummed);
}

// A run that is killed after step 7, with a checkpoint at step 4, ends as one never stopped.
TEST(Metrics, AResumedRunIsAsOneNeverStopped) {
  const TemporaryFolder folder;
  some_metrics(7).save(folder.path() / "metrics.h5");
  Metrics resumed = Metrics::load(folder.path() / "metrics.h5");
  resumed.truncate(4, 2, 4);
  const Metrics whole = some_metrics(10);
  for (const TrainingRow& row : whole.training()) {
    if (row.step > 4) resumed.append(row);
  }
  for (const ValidationRow& row : whole.validation()) {
    if (row.step > 4) resumed.append(row);
  }
  EXPECT_EQ(resumed.training(), whole.training());
  EXPECT_EQ(resumed.validation(), whole.validation());
}

ProbeSample sample_of(std::string name, Index step, std::vector<Index> shape) {
  Index size = 1;
  for (const Index n : shape) size *= n;
  std::vector<float> values(static_cast<std::size_t>(size), static_cast<float>(step));
  return {std::move(name), step, std::move(shape), std::move(values)};
}

TEST(Metrics, SamplesOfProbesAreReadBackInTheOrderOfStepsAndNames) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "metrics.h5";
  Metrics metrics;
  metrics.append(sample_of("entropy/mean", 2, {2, 3}));
  metrics.append(sample_of("entropy/above_0.99", 2, {2, 3}));
  metrics.append(sample_of("attention/weights", 0, {2, 3, 5, 5}));
  metrics.append(sample_of("gradients/W_Q", 2, {2}));
  metrics.append(sample_of("entropy/mean", 0, {2, 3}));
  std::vector<std::string> names;
  for (const ProbeSample& s : metrics.probes()) names.push_back(s.name);
  EXPECT_EQ(names,
            (std::vector<std::string>{"attention/weights", "entropy/mean", "entropy/above_0.99",
                                      "entropy/mean", "gradients/W_Q"}));
  metrics.save(path);
  EXPECT_EQ(Metrics::load(path).probes(), metrics.probes());
  const Hdf5File file = Hdf5File::open(path);
  EXPECT_EQ(file.info("probes/attention/weights/values").shape,
            (std::vector<Index>{1, 2, 3, 5, 5}));
  EXPECT_EQ(file.info("probes/entropy/mean/values").type_name, "float32");
  EXPECT_EQ(file.read<Index>("probes/entropy/mean/step").values, (std::vector<Index>{0, 2}));
}

AttentionLabels some_labels() {
  return {
      .layers = {{.path = "encoder.blocks.0.attention", .kind = AttentionKind::kSource, .heads = 2},
                 {.path = "decoder.blocks.0.attention", .heads = 4},
                 {.path = "decoder.blocks.0.cross_attention",
                  .kind = AttentionKind::kCross,
                  .heads = 4}},
      .symbols = {"a", "é", "\n", ""},
      .source_symbols = {"1", "."}};
}

TEST(Metrics, NamesOfLayersAndPositionsAreReadBack) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "metrics.h5";
  Metrics metrics = some_metrics(2);
  metrics.set_attention_labels(some_labels());
  metrics.save(path);
  EXPECT_EQ(Metrics::load(path).attention_labels(), some_labels());
  const Hdf5File file = Hdf5File::open(path);
  EXPECT_EQ(file.read_strings("attention/kinds"),
            (std::vector<std::string>{"source", "self", "cross"}));
  metrics = Metrics::load(path);
  metrics.truncate(1, 0, 1);  // a run that goes on keeps them
  EXPECT_EQ(metrics.attention_labels(), some_labels());
}

// Without a source, as most models are.
TEST(Metrics, NamesMayBeOfOneSequence) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "metrics.h5";
  const AttentionLabels labels{.layers = {{.path = "blocks.0.attention", .heads = 1}},
                               .symbols = {"a"},
                               .source_symbols = {}};
  Metrics metrics;
  metrics.set_attention_labels(labels);
  metrics.save(path);
  EXPECT_EQ(Metrics::load(path).attention_labels(), labels);
}

// As programs wrote version 1 before there were names of layers
TEST(Metrics, OfEarlierProgramsHaveNoNames) {
  const Metrics metrics = Metrics::load(std::filesystem::path(TAPEHEAD_TESTS_DIR) /
                                        "train/fixtures/metrics_unnamed.h5");
  EXPECT_TRUE(metrics.attention_labels().layers.empty());
  ASSERT_EQ(metrics.training().size(), 2U);
  ASSERT_EQ(metrics.probes().size(), 2U);
  EXPECT_EQ(metrics.probes()[1].name, "attention/weights");
  EXPECT_EQ(metrics.probes()[1].shape, (std::vector<Index>{1, 1, 5, 5}));
}

TEST(Metrics, AKindOfAttentionThatThereIsNotIsRefused) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "labels.h5";
  Hdf5File file = Hdf5File::create(path);
  file.write_strings("attention/layers", {"a"});
  file.write_strings("attention/kinds", {"sideways"});
  file.write<Index>("attention/heads", std::vector<Index>{1}, {1});
  testing::expect_error<IoError>([&] { read_attention_labels(file); },
                                 "kinds holds 'sideways'; a kind is self, cross or source");
}

TEST(Metrics, SamplesAfterTheCheckpointAreCutOff) {
  Metrics metrics;
  for (const Index step : {0, 4, 8}) metrics.append(sample_of("entropy/mean", step, {1}));
  metrics.truncate(0, 0, 7);
  ASSERT_EQ(metrics.probes().size(), 2U);
  EXPECT_EQ(metrics.probes().back().step, 4);
}

TEST(Metrics, SamplesOfANameHaveOneShape) {
  Metrics metrics;
  metrics.append(sample_of("entropy/mean", 0, {2, 3}));
  testing::expect_error<ValueError>(
      [&] {
        metrics.append(sample_of("entropy/mean", 1, {3, 2}));
      },
      "entropy/mean.*shape .3, 2.; it must have shape .2, 3.");
  testing::expect_error<ValueError>(
      [&] {
        metrics.append({"x", 1, {2}, {1.0F}});
      },
      "a sample of 'x' has 1 values of shape .2.");
}

TEST(Metrics, RefusesACheckpointThatCountsMore) {
  testing::expect_error<IoError>([] { some_metrics(4).truncate(5, 2, 5); },
                                 "there are 4 training rows, the checkpoint counts 5");
  testing::expect_error<IoError>([] { some_metrics(4).truncate(4, 3, 4); },
                                 "there are 2 validation rows, the checkpoint counts 3");
}

TEST(Metrics, RefusesOtherFiles) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "metrics.h5";
  testing::expect_error<IoError>([&] { Metrics::load(path); }, "metrics.h5");
  Hdf5File::create(path).close();
  testing::expect_error<IoError>([&] { Metrics::load(path); },
                                 "metrics.h5: damaged, cut off, .* or no tapehead metrics");
}

TEST(Metrics, AppendingAllocatesNothingAfterReserve) {
  Metrics metrics;
  metrics.reserve(100, 10);
  metrics.append(TrainingRow{});
  const TrainingRow* first = metrics.training().data();
  for (int i = 1; i < 100; ++i) metrics.append(TrainingRow{});
  EXPECT_EQ(metrics.training().data(), first);
}

}  // namespace
}  // namespace tapehead
