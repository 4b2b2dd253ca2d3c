#include "studies/heads.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "studies/heads_report.h"
#include "studies/study_files.h"
#include "tests/support/expect.h"
#include "tests/support/temp_dir.h"
#include "tests/support/tiny_run.h"
#include "train/config/build_task.h"

namespace tapehead {
namespace {

using ::testing::HasSubstr;
using testing::run;
using testing::TempDir;
using testing::tiny_run;

StudyRequest request_for(const fs::path& folder, int threads = 1) {
  StudyRequest request;
  request.quick = true;
  request.run = folder;
  request.threads = threads;
  return request;
}

StudyResult studied(const fs::path& folder, const std::vector<Setting>& settings, int threads = 1) {
  if (!fs::exists(folder)) run(tiny_run(settings), folder);
  return run_heads(request_for(folder, threads));
}

double mean_at(const Table& table, std::size_t row, std::size_t column) {
  return std::get<Estimate>(table.rows.at(row).at(column)).mean;
}

constexpr std::size_t kPrevious = 5, kLossIncrease = 9;  // columns of the first table

TEST(HeadsStudy, LooksAtEveryHeadOfADecoder) {
  const TempDir dir;
  const StudyResult r = studied(dir / "run", {{"model.layers=2"}});
  const Table& heads = r.tables.at(0);
  ASSERT_EQ(heads.rows.size(), 4U);
  EXPECT_EQ(std::get<std::string>(heads.rows[3][1]), "blocks.1.attention");
  EXPECT_EQ(std::get<double>(heads.rows[3][2]), 2);
  double sum = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    const double previous = mean_at(heads, i, kPrevious);
    EXPECT_TRUE(previous > 0 && previous < 1) << previous;
    sum += std::abs(mean_at(heads, i, kLossIncrease));
  }
  EXPECT_GT(sum, 0);
  EXPECT_EQ(r.seeds, std::vector<Index>{1});
  EXPECT_THAT(r.findings.back(), HasSubstr("one run, of seed 1"));
  // Rows of the map sum to 1, as weights do.
  ASSERT_EQ(r.maps.size(), 1U);
  const AttentionMaps& maps = r.maps.front();
  EXPECT_EQ(maps.layers.size(), 2U);
  EXPECT_EQ(maps.steps, std::vector<Index>{24});
  const std::size_t n = maps.keys.size();
  ASSERT_EQ(maps.weights.at(0).size(), 2 * 2 * n * n);
  for (std::size_t row = 0; row < 2 * 2 * n; ++row) {
    double weight = 0;
    for (std::size_t j = 0; j < n; ++j) {
      weight += static_cast<double>(maps.weights[0][row * n + j]);
    }
    EXPECT_NEAR(weight, 1, 1e-5);
  }
}

// A made-up layer of two heads: the second raises the loss by `loss`, and the accuracy falls.
std::string ablation_finding_of(double loss, double accuracy_drop) {
  HeadsData data;
  data.layers = {{.path = "blocks.0.attention", .heads = 2}};
  data.held_out.heads.resize(2);
  data.losses = {{-1, 0.5}, {loss, 0.5}};
  data.accuracy_drops = {{0, 0.5}, {accuracy_drop, 0.5}};
  StudyResult r;
  r.study = "heads";
  report_heads(data, *build_task(tiny_run()), r);
  return r.findings.front();
}

TEST(HeadsStudy, SaysWhichWayLossAndAccuracyGo) {
  EXPECT_THAT(ablation_finding_of(0.25, 0.125),
              HasSubstr("is 1.2: without it the loss rises by 0.25 ± 0.5 and the token accuracy "
                        "falls by 0.125 ± 0.5."));
  EXPECT_THAT(
      ablation_finding_of(-0.25, -0.125),
      HasSubstr("the loss falls by 0.25 ± 0.5 and the token accuracy rises by 0.125 ± 0.5."));
  EXPECT_THAT(ablation_finding_of(0.25, 0),
              HasSubstr("the token accuracy does not change (0 ± 0.5)."));
}

TEST(HeadsStudy, ThreadsChangeNoBit) {
  const TempDir dir;
  const std::string one = to_json(studied(dir / "run", {}));
  EXPECT_EQ(to_json(studied(dir / "run", {}, 2)), one);
}

TEST(HeadsStudy, LabelsTheCrossAttentionOfAnEncoderDecoder) {
  const TempDir dir;
  const StudyResult r = studied(dir / "run", {{"model.kind=encoder_decoder"}});
  const Table& heads = r.tables.at(0);
  ASSERT_EQ(heads.rows.size(), 6U);  // source, target and cross, of two heads each
  EXPECT_EQ(std::get<std::string>(heads.rows[4][1]), "decoder.blocks.0.cross_attention");
  EXPECT_FALSE(std::isnan(mean_at(heads, 3, kPrevious)));
  EXPECT_TRUE(std::isnan(mean_at(heads, 4, kPrevious)));  // of two sequences
  EXPECT_FALSE(std::isnan(mean_at(heads, 4, kLossIncrease)));
  EXPECT_THAT(r.charts.at(0).categories,
              ::testing::ElementsAre("encoder 1.1", "encoder 1.2", "decoder 1.1", "decoder 1.2",
                                     "cross 1.1", "cross 1.2"));
  for (const Table* table : {&r.tables.at(0), &r.tables.at(1)}) {
    for (std::size_t i = 0; i < 6; ++i) {
      EXPECT_EQ(std::get<std::string>(table->rows.at(i).at(0)), r.charts.at(0).categories.at(i));
    }
  }
  EXPECT_THAT(r.settings, HasSubstr(": an encoder_decoder of "));
  ASSERT_EQ(r.maps.size(), 3U);
  const auto maps_named = [&r](const char* name) {
    return *std::ranges::find(r.maps, name, &AttentionMaps::name);
  };
  EXPECT_EQ(maps_named("attention/cross").queries, maps_named("attention/weights").queries);
  EXPECT_EQ(maps_named("attention/cross").keys, maps_named("attention/source").keys);
}

TEST(HeadsStudy, LooksAtAnEncoderAndAtRealNumbers) {
  const TempDir dir;
  EXPECT_EQ(studied(dir / "encoder", {{"model.kind=encoder"}}).tables.at(0).rows.size(), 2U);
  const StudyResult numbers =
      studied(dir / "numbers",
              {{"task.name=regression"}, {"task.length=0"}, {"task.symbols=0"}, {"train.steps=4"}});
  EXPECT_EQ(std::get<std::string>(numbers.tables.at(0).rows.at(0).at(3)), "-");  // no token
  EXPECT_EQ(numbers.maps.at(0).keys.front(), ".");
}

TEST(HeadsStudy, RefusesWhatHasNoHeads) {
  const TempDir dir;
  run(resolve_config({.settings = {{"model.kind=lstm"},
                                   {"task.length=3"},
                                   {"model.d_model=8"},
                                   {"train.steps=2"},
                                   {"train.eval_every=0"}}}),
      dir / "lstm");
  testing::expect_error<ValueError>(
      [&] { run_heads(request_for(dir / "lstm")); },
      "model.kind is lstm, which has no attention; .*decoder, an encoder or an encoder_decoder");
  testing::expect_error<IoError>([&] { run_heads(request_for(dir / "none")); }, "none");
}

TEST(HeadsStudy, DoesNotMixRunsInOneFolder) {
  const TempDir dir;
  StudyRequest request = request_for(dir / "run");
  request.study = "heads";
  run(tiny_run({}), dir / "run");
  request.folder = dir / "study";
  const StudyResult first = run_heads(request);
  EXPECT_EQ(to_json(run_heads(request)), to_json(first));  // from the finished cells
  run(tiny_run({{"train.seed=2"}}), dir / "other");
  request.run = dir / "other";
  testing::expect_error<IoError>(
      [&] { run_heads(request); },
      "'heads' of the run .*/run .*, not of the run .*/other as it is; choose");
  request.folder.clear();
  EXPECT_NE(run_heads(request).tables, first.tables);
}

}  // namespace
}  // namespace tapehead
