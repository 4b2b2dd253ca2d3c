#include "layers/distance_bias.h"

#include <cmath>
#include <limits>

#include "tests/layers/layer_fixture.h"

namespace tapehead {
namespace {

using testing::expect_bits_equal;
using testing::LayerFixture;

constexpr double kUnseen = std::numeric_limits<double>::lowest();

TEST(DistanceBias, AlibiSlopesAreThePapersAndTheAuthorsInterpolation) {
  // Press et al. 2022, section 3: 8 heads have 1/2^1 .. 1/2^8. Six heads: those of 4, then the
  // first and third of 8.
  EXPECT_EQ(alibi_slopes(8), (std::vector<double>{1 / 2.0, 1 / 4.0, 1 / 8.0, 1 / 16.0, 1 / 32.0,
                                                  1 / 64.0, 1 / 128.0, 1 / 256.0}));
  EXPECT_EQ(alibi_slopes(6),
            (std::vector<double>{1 / 4.0, 1 / 16.0, 1 / 64.0, 1 / 256.0, 1 / 2.0, 1 / 8.0}));
  EXPECT_EQ(alibi_slopes(1), (std::vector<double>{1 / 256.0}));
}

TEST(DistanceBias, AlibiFallsWithTheDistanceFromTheQuery) {
  LayerFixture f;
  const DistanceBias<double> alibi(f.root, DistanceBiasKind::kAlibi, 2, false);
  // Two queries at the end of three keys: distances -2 .. 1; slopes 1/16 and 1/256.
  expect_bits_equal(
      alibi.table(f.tape, 2, 3).value(),
      {{2, 4}, {-2 / 16.0, -1 / 16.0, 0, -1 / 16.0, -2 / 256.0, -1 / 256.0, 0, -1 / 256.0}});
  EXPECT_EQ(f.store.parameter_count(), 0);
}

TEST(DistanceBias, HardAlibiGivesEachHeadAWindow) {
  LayerFixture f;
  const DistanceBias<double> hard(f.root, DistanceBiasKind::kHardAlibi, 3, true);
  expect_bits_equal(hard.table(f.tape, 1, 4).value().view(0, {4}),
                    {{4}, {kUnseen, kUnseen, kUnseen, 0}});
  expect_bits_equal(hard.table(f.tape, 1, 4).value().view(4, {4}), {{4}, {kUnseen, kUnseen, 0, 0}});
  expect_bits_equal(hard.table(f.tape, 1, 4).value().view(8, {4}), {{4}, {0, 0, 0, 0}});
}

TEST(DistanceBias, T5BucketsAreThePapers) {
  // 32 buckets up to distance 128. Looking back: 0 .. 15 each their own, then 16 + floor(16 log(d /
  // 16) / log(8)), so bucket 16 + k begins where d >= 16 * 8^(k/16).
  for (Index d = 0; d < 16; ++d) EXPECT_EQ(t5_bucket(-d, false), d);
  for (Index k = 0; k < 15; ++k) {
    const auto begin =
        static_cast<Index>(std::ceil(16 * std::pow(8.0, static_cast<double>(k) / 16)));
    const auto next =
        static_cast<Index>(std::ceil(16 * std::pow(8.0, static_cast<double>(k + 1) / 16)));
    for (Index d = begin; d < next; ++d) EXPECT_EQ(t5_bucket(-d, false), 16 + k) << d;
  }
  EXPECT_EQ(t5_bucket(-127, false), 31);
  EXPECT_EQ(t5_bucket(-100000, false), 31);
  EXPECT_EQ(t5_bucket(5, false), 0);
  // Both ways: 8 exact, then doubling every second bucket (8 * 16^(k/8)); the future begins at 16.
  const std::pair<Index, Index> both[] = {{0, 0},   {7, 7},   {8, 8},   {11, 8},   {12, 9},
                                          {16, 10}, {32, 12}, {64, 14}, {127, 15}, {5000, 15}};
  for (const auto& [distance, bucket] : both) {
    EXPECT_EQ(t5_bucket(-distance, true), bucket) << distance;
    if (distance > 0) {
      EXPECT_EQ(t5_bucket(distance, true), 16 + bucket) << distance;
    }
  }
}

TEST(DistanceBias, T5LooksUpItsTable) {
  LayerFixture f;
  const DistanceBias<double> t5(f.root / "position", DistanceBiasKind::kT5, 2, true);
  const auto weight = f.value("position.weight");
  ASSERT_EQ(weight.shape(), (Shape{32, 2}));
  const auto table = t5.table(f.tape, 3, 3).value();
  const Index buckets[] = {2, 1, 0, 17, 18};  // distances -2 .. 2
  for (Index r = 0; r < 5; ++r) {
    for (Index h = 0; h < 2; ++h) EXPECT_EQ(table[h * 5 + r], weight[buckets[r] * 2 + h]);
  }
}

TEST(DistanceBias, WorksPastAnyTrainingLength) {
  LayerFixture f;
  for (const auto kind :
       {DistanceBiasKind::kAlibi, DistanceBiasKind::kHardAlibi, DistanceBiasKind::kT5}) {
    const DistanceBias<double> bias(f.root / static_cast<Index>(kind), kind, 4, false);
    const auto table = bias.table(f.tape, 1, 5000).value();
    EXPECT_EQ(table.shape(), (Shape{4, 5000}));
    for (const double b : table.values()) EXPECT_FALSE(std::isnan(b));
  }
}

TEST(DistanceBias, HardAlibiRefusesTooFewHeads) {
  LayerFixture f;
  testing::expect_error<ValueError>(
      [&] { DistanceBias<double>(f.root / "p", DistanceBiasKind::kHardAlibi, 1, false); },
      "p: Hard-ALiBi with 1 heads.*at least 2");
  testing::expect_error<ValueError>(
      [&] { DistanceBias<double>(f.root, DistanceBiasKind::kHardAlibi, 2, true); }, "at least 3");
}

}  // namespace
}  // namespace tapehead
