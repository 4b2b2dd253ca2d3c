#include "app/documents/run_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/temp_dir.h"
#include "tests/support/tiny_run.h"

namespace tapehead {
namespace {

using testing::TempDir;
using testing::tiny_run;

std::vector<Setting> with_probes(const std::string& kind, const std::string& probes) {
  return {{"model.kind=" + kind}, {"model.layers=2"}, {"train.probe=" + probes}};
}

// Changes what the metrics of a run say of its layers and positions.
template <typename Change>
void change_labels(const fs::path& run, const Change& change) {
  Metrics metrics = Metrics::load(metrics_path(run));
  AttentionLabels labels = metrics.attention_labels();
  change(labels);
  metrics.set_attention_labels(labels);
  metrics.save(metrics_path(run));
}

// Names that no model could have given.
TEST(RunReport, TakesTheNamesOfLayersAndPositionsFromTheMetrics) {
  const TempDir dir;
  testing::run(tiny_run(with_probes("decoder", "attention,entropy")), dir / "r");
  change_labels(dir / "r", [](AttentionLabels& labels) {
    labels.layers[1].path = "upstairs";
    labels.symbols.front() = "Q";
  });
  const RunReport report = read_run_report(dir / "r");
  ASSERT_EQ(report.maps.size(), 1U);
  EXPECT_THAT(report.maps[0].layers, ::testing::ElementsAre("blocks.0.attention", "upstairs"));
  EXPECT_EQ(report.maps[0].keys.front(), "Q");
  EXPECT_EQ(report.maps[0].steps.size(), 11U);
}

// Runs of earlier programs have no names: the model is asked.
TEST(RunReport, OfARunWithoutNamesIsTheSame) {
  for (const char* kind : {"decoder", "encoder_decoder"}) {
    SCOPED_TRACE(kind);
    const TempDir dir;
    testing::run(tiny_run(with_probes(kind, "attention,entropy")), dir / "r");
    const RunReport named = read_run_report(dir / "r");
    change_labels(dir / "r", [](AttentionLabels& labels) { labels = {}; });
    const RunReport unnamed = read_run_report(dir / "r");
    EXPECT_TRUE(unnamed.metrics.attention_labels().layers.empty());
    EXPECT_FALSE(named.maps.empty());
    EXPECT_EQ(unnamed.maps, named.maps);
    EXPECT_EQ(unnamed.attention, named.attention);
  }
}

TEST(RunReport, ShowsTheMapsOfTheEndWhereNoneWereRecorded) {
  const TempDir dir;
  testing::run(tiny_run(with_probes("encoder_decoder", "entropy")), dir / "r");
  const RunReport report = read_run_report(dir / "r");
  EXPECT_EQ(report.maps.size(), 3U);
  for (const AttentionMaps& maps : report.maps) EXPECT_THAT(maps.steps, ::testing::ElementsAre(24));
}

}  // namespace
}  // namespace tapehead
