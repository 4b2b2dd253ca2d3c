#include "figures/attention_maps.h"
#include "analysis/probed_maps.h"
#include "train/held_out_attention.h"

#include <algorithm>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/report/sample_figures.h"
#include "tests/support/tiny_run.h"
#include "train/build_model.h"
#include "train/config/build_task.h"

namespace tapehead {
namespace {

using ::testing::ElementsAre;
using testing::small_maps;
using testing::tiny_run;

TEST(MostDecidedHead, HasTheSmallestEntropy) {
  EXPECT_EQ(most_decided_head(small_maps(), 1), (HeadChoice{1, 1}));
  EXPECT_EQ(largest_weight(small_maps(), 1, {1, 1}), 1);
  AttentionMaps maps = small_maps();
  std::fill(maps.weights[1].end() - 9, maps.weights[1].end(), 1.0F / 3.0F);  // the certain one
  EXPECT_EQ(most_decided_head(maps, 1), (HeadChoice{1, 0}));
}

AttentionMaps maps_of(const char* kind, const std::string& name) {
  std::vector<Setting> settings = {{"model.kind=" + std::string(kind)}, {"model.layers=2"}};
  if (std::string_view(kind) == "gru") {
    settings.insert(settings.end(), {{"model.heads=4"}, {"model.d_ff=64"}});  // the defaults
  }
  const Config config = tiny_run(settings);
  const auto task = build_task(config);
  const auto model = build_model(config, model_sizes(*task));
  HeldOutAttention attention = held_out_attention(*model->net, *task, 0, 7);
  for (AttentionMaps& maps : attention.maps) {
    if (maps.name == name) return std::move(maps);
  }
  return {};
}

void expect_rows_sum_to_one(const AttentionMaps& maps) {
  const std::size_t keys = maps.keys.size();
  const std::size_t rows = maps.layers.size() * maps.queries.size() * 2;  // of two heads
  ASSERT_EQ(maps.weights.size(), 1U);
  ASSERT_EQ(maps.weights[0].size(), rows * keys);
  for (std::size_t row = 0; row < rows; ++row) {
    const float* first = maps.weights[0].data() + row * keys;
    EXPECT_NEAR(std::accumulate(first, first + keys, 0.0F), 1.0F, 1e-5F);
  }
}

TEST(AttentionMaps, OfADecoderLookBack) {
  const AttentionMaps maps = maps_of("decoder", "attention/weights");
  EXPECT_THAT(maps.layers, ElementsAre("blocks.0.attention", "blocks.1.attention"));
  EXPECT_THAT(maps.steps, ElementsAre(7));
  EXPECT_EQ(maps.queries, maps.keys);
  EXPECT_EQ(maps.queries.size(), 9U);  // 4 digits, >, 4 digits
  EXPECT_EQ(maps.queries[4], ">");
  expect_rows_sum_to_one(maps);
  EXPECT_EQ(maps.weights[0][0], 1);  // the first position sees itself alone
  EXPECT_EQ(maps.weights[0][1], 0);
}

TEST(AttentionMaps, OfAnEncoderDecoderAreOfThreeKinds) {
  const AttentionMaps cross = maps_of("encoder_decoder", "attention/cross");
  EXPECT_EQ(cross.keys.size(), 4U);
  EXPECT_EQ(cross.layers.size(), 2U);
  expect_rows_sum_to_one(cross);
  const AttentionMaps encoder = maps_of("encoder_decoder", "attention/source");
  EXPECT_EQ(encoder.queries, cross.keys);
  EXPECT_EQ(encoder.keys, cross.keys);
  EXPECT_EQ(maps_of("encoder_decoder", "attention/weights").queries, cross.queries);
}

TEST(AttentionMaps, OfAModelWithoutAttentionAreNone) {
  EXPECT_EQ(maps_of("gru", "attention/weights").name, "");
}

TEST(ProbedMaps, TakeStepsFromProbesAndNamesFromLabels) {
  AttentionMaps known = small_maps();
  known.name = "attention/cross";
  known.title = "Attention to the source";
  std::vector<ProbeSample> probes;
  for (std::size_t s = 0; s < 2; ++s) {
    probes.push_back({"attention/cross", known.steps[s], {2, 2, 3, 3}, known.weights[s]});
    probes.push_back({"entropy/mean", known.steps[s], {2, 2}, {1, 2, 3, 4}});
  }
  AttentionLabels labels;
  labels.layers = {{.path = "source", .kind = AttentionKind::kSource},
                   {.path = known.layers[0], .kind = AttentionKind::kCross},
                   {.path = known.layers[1], .kind = AttentionKind::kCross}};
  labels.symbols = known.queries;
  labels.source_symbols = known.keys;
  EXPECT_THAT(probed_maps(probes, labels), ElementsAre(known));
  const auto unknown = probed_maps(probes, {});
  ASSERT_EQ(unknown.size(), 1U);
  EXPECT_THAT(unknown[0].layers, ElementsAre("layer 1", "layer 2"));
  EXPECT_THAT(unknown[0].keys, ElementsAre("0", "1", "2"));
  EXPECT_EQ(unknown[0].weights, known.weights);
}

// Maps of `n` positions at `steps` steps, where weight i of a step is i.
AttentionMaps numbered(std::size_t n, Index steps) {
  AttentionMaps maps;
  maps.queries.assign(n, "q");
  maps.keys.assign(n, "k");
  maps.layers = {"a"};
  maps.heads = 2;
  for (Index s = 0; s < steps; ++s) {
    maps.steps.push_back(10 * s);
    maps.weights.emplace_back(2 * n * n);
    std::iota(maps.weights.back().begin(), maps.weights.back().end(), 0.0F);
  }
  return maps;
}

TEST(FittedMaps, LeaveSmallMapsAlone) {
  std::string note = "old";
  EXPECT_EQ(fitted_maps(numbered(4, 5), 160, note), numbered(4, 5));
  EXPECT_EQ(note, "");
}

TEST(FittedMaps, KeepTheFirstAndTheLastStep) {
  std::string note;
  const AttentionMaps maps = fitted_maps(numbered(4, 5), 100, note);
  EXPECT_THAT(maps.steps, ElementsAre(0, 20, 40));
  EXPECT_EQ(maps.weights.size(), 3U);
  EXPECT_THAT(note, ::testing::HasSubstr("Of 5 recorded steps 3 are shown"));
  EXPECT_THAT(fitted_maps(numbered(4, 5), 40, note).steps, ElementsAre(40));
}

TEST(FittedMaps, CutLongSequences) {
  std::string note;
  const AttentionMaps maps = fitted_maps(numbered(4, 1), 10, note);
  EXPECT_EQ(maps.queries.size(), 2U);
  EXPECT_THAT(maps.weights[0], ElementsAre(0, 1, 4, 5, 16, 17, 20, 21));
  EXPECT_EQ(note, "Of 4 queries and 4 keys the first 2 are shown.");
}

}  // namespace
}  // namespace tapehead
