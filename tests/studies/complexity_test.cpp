#include "studies/complexity.h"

#include <gmock/gmock.h>

#include "studies/complexity_layers.h"
#include "studies/complexity_report.h"
#include "studies/cpu_time.h"
#include "tests/support/expect.h"

namespace tapehead {
namespace {

using ::testing::HasSubstr;

double peak_of(std::string_view layer, Index length) {
  LayerPass pass(layer, length, 1);
  pass.run();
  return static_cast<double>(pass.peak_bytes());
}

TEST(LayerPass, KeptWeightsAreTheWholeDifferenceInMemory) {
  constexpr double kHeads = 4;
  for (const Index n : {256, 512, 1024}) {
    const auto length = static_cast<double>(n);
    EXPECT_EQ(peak_of("attention_kept", n) - peak_of("attention_tiled", n),
              kHeads * length * length * sizeof(float))
        << n;
  }
}

TEST(LayerPass, MemoryGrowsAsItShould) {
  // Kept weights outgrow what is linear in the length: from 1024 on they are most of it.
  EXPECT_NEAR(peak_of("attention_kept", 2048) / peak_of("attention_kept", 1024), 4, 0.4);
  for (const char* layer : {"attention_tiled", "rnn", "lstm", "conv"}) {
    EXPECT_NEAR(peak_of(layer, 1024) / peak_of(layer, 512), 2, 0.02) << layer;
  }
}

TEST(LayerPass, KnowsItsLayers) {
  for (const ComparedLayer& layer : compared_layers()) EXPECT_GT(peak_of(layer.name, 8), 0);
  testing::expect_error<ValueError>([] { LayerPass("gru", 8, 1); }, "no layer 'gru'");
}

TEST(MedianCpuMs, CountsTheWorkOfThisThread) {
  Index calls = 0;
  volatile double sink = 0;
  const double ms = median_cpu_ms(0, [&] {
    ++calls;
    const double start = thread_cpu_ms();
    while (thread_cpu_ms() - start < 2) sink = sink + 1;
  });
  EXPECT_EQ(calls, 6);  // one to warm up, five that count
  EXPECT_GE(ms, 2);
  EXPECT_EQ(median_of({5, 1, 3}), 3);
  EXPECT_EQ(median_of({5, 1, 3, 4}), 4);
}

// Costs that are exact powers of the length.
LayerCost exact_cost(std::string layer, double ms, double time_power, double memory_power) {
  LayerCost cost{std::move(layer), {64, 128, 256, 512, 1024, 2048}, {{}, {}, {}}, {}};
  for (const double n : cost.lengths) {
    for (auto& round : cost.ms) round.push_back(ms * std::pow(n / 64, time_power));
    cost.bytes.push_back(1024 * std::pow(n, memory_power));
  }
  return cost;
}

TEST(ReportComplexity, FindsTheExponentsAndCrossingsOfExactPowers) {
  StudyResult r;
  report_complexity({exact_cost("attention_kept", 1, 2, 2), exact_cost("attention_tiled", 2, 2, 1),
                     exact_cost("rnn", 4, 1, 1), exact_cost("conv", 0.5, 1, 1)},
                    r);
  const Table& exponents = r.tables.at(1);
  ASSERT_EQ(exponents.rows.size(), 4U);
  EXPECT_EQ(std::get<double>(exponents.rows[0][1]), 256);  // of the four longest lengths
  EXPECT_NEAR(std::get<Estimate>(exponents.rows[0][3]).mean, 2, 1e-12);
  EXPECT_NEAR(std::get<Estimate>(exponents.rows[0][3]).se, 0, 1e-12);
  EXPECT_NEAR(std::get<Estimate>(exponents.rows[1][4]).mean, 1, 1e-12);
  EXPECT_NEAR(std::get<Estimate>(exponents.rows[2][3]).mean, 1, 1e-12);
  // 1 (n / 64)^2 = 4 (n / 64) at 256, 2 (n / 64)^2 = 4 (n / 64) at 128; conv is always faster.
  const Table& crossings = r.tables.at(2);
  ASSERT_EQ(crossings.rows.size(), 4U);
  EXPECT_NEAR(std::get<Estimate>(crossings.rows[0][2]).mean, 256, 1e-9);
  EXPECT_NEAR(std::get<Estimate>(crossings.rows[2][2]).mean, 128, 1e-9);
  EXPECT_EQ(std::get<double>(crossings.rows[1][3]), 0);
  std::string all;
  for (const std::string& finding : r.findings) all += finding + "\n";
  EXPECT_THAT(all, HasSubstr("attention_kept becomes slower than rnn at length 256"));
  EXPECT_THAT(all, HasSubstr("attention_kept is slower than conv at every length measured"));
  EXPECT_THAT(all, HasSubstr("At 2048 time steps, keeping the weights takes 4096 MiB, computing "
                             "them again 2 MiB (2048 times less)"));
  ASSERT_EQ(r.charts.size(), 2U);
  EXPECT_TRUE(r.charts[0].log_x && r.charts[0].log_y);
  EXPECT_EQ(r.charts[1].series.size(), 4U);
}

}  // namespace
}  // namespace tapehead
