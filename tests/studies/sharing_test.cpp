#include "studies/sharing.h"

#include <gmock/gmock.h>

#include <cmath>
#include <set>

#include "studies/decode_time.h"
#include "studies/sharing_report.h"
#include "tests/support/expect.h"

namespace tapehead {
namespace {

using ::testing::HasSubstr;

constexpr ModelSizes kSharingSizes{.vocabulary = 13, .length = 21};

ModelConfig eight_heads() {
  ModelConfig m;
  m.heads = 8;
  return m;
}

std::unique_ptr<Model> built(const ModelConfig& model) {
  Config config;
  config.model = model;
  check_config(config);
  return build_model(config, kSharingSizes);
}

TEST(SharingVariants, HaveTheCacheThatTheirProjectionsFill) {
  const auto variants = sharing_variants(eight_heads(), kSharingSizes);
  std::set<std::string> names;
  const double mha = cache_bytes_per_token(variants.front().model);
  for (const SharingVariant& v : variants) {
    names.insert(v.name);
    const auto model = built(v.model);
    const std::string layer = "blocks.0.attention.";
    const bool own_keys = model->store.contains(layer + "fc_k.weight");
    const Index width =
        model->store.find(layer + (own_keys ? "fc_k.weight" : "fc_q.weight")).shape()[0];
    EXPECT_EQ(cache_bytes_per_token(v.model), 2 * 2 * static_cast<double>(width) * 4) << v.name;
    const double smaller = v.control || v.name == "MQA" ? 8 : (v.name == "GQA" ? 4 : 1);
    EXPECT_EQ(mha / cache_bytes_per_token(v.model), smaller) << v.name;
  }
  EXPECT_EQ(names.size(), 9U);
}

TEST(SharingVariants, HaveEqualParameters) {
  const auto variants = sharing_variants(eight_heads(), kSharingSizes);
  const double wanted = parameters_of(eight_heads(), kSharingSizes);
  for (const SharingVariant& v : variants) {
    const auto parameters = static_cast<double>(built(v.model)->store.parameter_count());
    EXPECT_EQ(parameters, parameters_of(v.model, kSharingSizes)) << v.name;
    // One more unit of the feed-forward layer: a row, a column and a bias in each of two blocks.
    EXPECT_LE(std::abs(parameters - wanted), 2 * (2 * 64 + 1) / 2.0) << v.name;
  }
  EXPECT_EQ(variants.front().model.d_ff, 256);
  EXPECT_GT(variants[2].model.d_ff, variants[1].model.d_ff);  // MQA saves more than GQA
}

TEST(SharingVariants, RefuseHeadsThatCannotBeDivided) {
  ModelConfig odd;
  odd.heads = 1;
  testing::expect_error<ValueError>([&] { sharing_variants(odd, kSharingSizes); },
                                    "1 heads of width 64; their number must be even");
}

TEST(DecodeTime, IsMeasuredOnLongContextsOnly) {
  ModelConfig small;
  small.d_model = 16;
  EXPECT_GT(decode_ms_per_token(small, 64, 1), 0);
  testing::expect_error<ValueError>([&] { decode_ms_per_token(small, 63, 1); },
                                    "context of 63 tokens; it must have at least 64");
}

SharingQuality quality(const std::string& name, bool control, std::vector<double> losses) {
  SharingQuality q{{name, control, eight_heads()}, 1000, std::move(losses), {}};
  q.accuracies.assign(q.losses.size(), 0.5);
  return q;
}

std::string findings_of(const std::vector<SharingQuality>& qualities,
                        const std::vector<DecodeCost>& costs, StudyResult& r) {
  report_sharing(qualities, costs, r);
  std::string all;
  for (const std::string& finding : r.findings) all += finding + "\n";
  return all;
}

TEST(ReportSharing, SaysWhatTheNumbersSay) {
  const std::vector<DecodeCost> costs = {{"MHA", 4096, {64, 4096}, {{1, 6}, {1, 6.2}, {1, 5.8}}},
                                         {"MQA", 512, {64, 4096}, {{1, 2}, {1, 2}, {1, 2}}}};
  StudyResult r;
  const std::string all =
      findings_of({quality("MHA", false, {0.1, 0.2, 0.3}), quality("GQA", false, {0.2, 0.1, 0.3}),
                   quality("MQA", false, {0.2, 0.31, 0.39}), quality("h=1", true, {0.5, 0.6, 0.72}),
                   quality("h=2", true, {0.1, 0.2, 0.28})},
                  costs, r);
  EXPECT_THAT(all, HasSubstr("MHA 4096 bytes (1/1), MQA 512 bytes (1/8)"));
  EXPECT_THAT(all,
              HasSubstr("takes 1 ± 0 times as long as one of MQA at a context of 64, and 3 ± "));
  EXPECT_THAT(all,
              HasSubstr("grows with the context, and at the end is below that of the caches, 8"));
  EXPECT_THAT(all, HasSubstr("GQA 0 ± 0.058 (not told apart from MHA's)"));
  EXPECT_THAT(all, HasSubstr("(above MHA's)"));
  EXPECT_THAT(all, HasSubstr("h=1 has a loss of 0.6067"));
  EXPECT_THAT(all, HasSubstr("more than MQA: sharing one head costs less"));
  EXPECT_THAT(all, HasSubstr("more than MQA: sharing one head costs more"));
  // Paired by seed: the differences are 0.1, 0.11, 0.09, whatever the seeds have in common.
  const Estimate mqa = std::get<Estimate>(r.tables.at(0).rows.at(2).at(8));
  EXPECT_NEAR(mqa.mean, 0.1, 1e-12);
  EXPECT_NEAR(mqa.se, 0.01 / std::sqrt(3.0), 1e-12);
  EXPECT_EQ(r.charts.at(0).categories.size(), 5U);
}

}  // namespace
}  // namespace tapehead
