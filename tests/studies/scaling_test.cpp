#include "studies/scaling.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "studies/scaling_findings.h"
#include "studies/scaling_outcomes.h"
#include "studies/scaling_run.h"
#include "studies/scaling_tables.h"
#include "tests/support/expect.h"

namespace tapehead {
namespace {

constexpr double kNever = std::numeric_limits<double>::quiet_NaN();
using Init = InitOptions::Scheme;
const std::function<bool()> kRunOn = [] { return false; };

ScalingOutcome short_run(const char* scale, Init init, Index d = 16) {
  return run_scaling({scale, init, d, 1}, 4, kRunOn);
}

TEST(Scaling, ScalesAreWhatTheirNamesSay) {
  const auto factor = [](const char* name) {
    return scaling_config({name, Init::kPytorch, 16, 1}, 4).model.scale.number;
  };
  EXPECT_NEAR(factor("d^-1/4"), 0.5, 1e-9);
  EXPECT_NEAR(factor("1/d"), 0.0625, 1e-9);
  EXPECT_TRUE(scaling_config({"qk_norm", Init::kPytorch, 16, 1}, 4).model.qk_norm);
  std::vector<std::string_view> names;
  for (const ScaleChoice& choice : scale_choices()) names.push_back(choice.name);
  EXPECT_EQ(names, (std::vector<std::string_view>{"none", "d^-1/4", "inv_sqrt", "1/d", "sqrt",
                                                  "learned", "qk_norm"}));
}

// The same queries and keys, so that s differs by the factor on the scores alone.
TEST(Scaling, TheSpreadAtStepZeroIsThatOfTheScaleAndTheInitialiser) {
  const double none = short_run("none", Init::kUnitQueriesAndKeys).logit_std;
  EXPECT_NEAR(short_run("inv_sqrt", Init::kUnitQueriesAndKeys).logit_std, none / 4, 1e-5 * none);
  EXPECT_NEAR(short_run("sqrt", Init::kUnitQueriesAndKeys).logit_std, none * 4, 1e-4 * none);
  EXPECT_NEAR(short_run("learned", Init::kUnitQueriesAndKeys).logit_std, none / 4, 1e-5 * none);
  // Entries of q and k have variance 1, so q.k of width 64 has standard deviation 8, but for the
  // biases and for a single draw of the weights; of PyTorch's a third.
  EXPECT_NEAR(short_run("none", Init::kUnitQueriesAndKeys, 64).logit_std, 8, 1);
  EXPECT_NEAR(short_run("none", Init::kPytorch, 64).logit_std, 8.0 / 3, 1.0 / 3);
}

TEST(Scaling, AnOutcomeHasItsSeries) {
  const ScalingOutcome o = short_run("inv_sqrt", Init::kPytorch);
  EXPECT_EQ(o.entropy.size(), 5U);  // step 0 and four updates
  EXPECT_EQ(o.above_99.size(), 5U);
  EXPECT_EQ(o.gradient.size(), 4U);
  EXPECT_TRUE(std::isnan(o.steps_to_90));
  EXPECT_GT(*std::ranges::min_element(o.gradient), 0);
  const ScalingOutcome again = ScalingOutcome::from_numbers(o.numbers());
  EXPECT_EQ(again.entropy, o.entropy);
  EXPECT_EQ(again.gradient, o.gradient);
  EXPECT_EQ(again.iid_entropy, o.iid_entropy);
  EXPECT_EQ(short_run("inv_sqrt", Init::kPytorch).numbers().back(), o.numbers().back());
}

// Logits of spread 0 are equal: ln of the number of keys.
TEST(Scaling, IidEntropyOfEqualLogits) {
  double expected = 0;
  for (int n = 2; n <= 9; ++n) expected += std::log(n) / 8;
  EXPECT_NEAR(causal_iid_entropy(0, 9), expected, 1e-12);
}

// Of two keys it is an integral over their difference, which is N(0, 2 s^2).
TEST(Scaling, IidEntropyOfTwoKeysIsTheIntegral) {
  for (const double s : {0.5, 2.0, 8.0}) {
    double integral = 0;
    const double step = 1e-3;
    for (double z = -8; z < 8; z += step) {
      const double x = std::sqrt(2.0) * s * z;
      const double p = 1 / (1 + std::exp(-x)), q = 1 / (1 + std::exp(x));
      const double entropy = (p > 0 ? -p * std::log(p) : 0) + (q > 0 ? -q * std::log(q) : 0);
      integral += entropy * std::exp(-z * z / 2) / std::sqrt(2 * M_PI) * step;
    }
    EXPECT_NEAR(causal_iid_entropy(s, 2), integral, 4 * 0.25 / std::sqrt(2000.0)) << s;
  }
}

ScalingOutcome outcome(double steps, double accuracy) {
  ScalingOutcome o;
  o.steps_to_90 = steps;
  o.accuracy = accuracy;
  o.logit_std = 4;
  o.entropy.assign(kScalingRecords + 1, 0.5);
  o.above_99.assign(kScalingRecords + 1, 0.25);
  o.gradient.assign(kScalingRecords, 0.125);
  return o;
}

std::vector<ScalingSetting> made_up(double unscaled_steps) {
  std::vector<ScalingSetting> settings;
  for (const Index d : {16, 256}) {
    for (const Init init : {Init::kPytorch, Init::kUnitQueriesAndKeys}) {
      settings.push_back(
          {"none", init, d, 400, {outcome(unscaled_steps, 0.25), outcome(50, 0.75)}});
      settings.push_back({"inv_sqrt", init, d, 400, {outcome(60, 1), outcome(70, 1)}});
    }
  }
  return settings;
}

bool some_finding_says(const std::vector<ScalingSetting>& settings, const std::string& words) {
  return std::ranges::any_of(scaling_findings(settings), [&](const std::string& finding) {
    return finding.find(words) != std::string::npos;
  });
}

TEST(Scaling, FindingsCountTheSeeds) {
  const auto settings = made_up(kNever);
  EXPECT_TRUE(some_finding_says(settings, "without is slower in 1/2 seeds"));
  EXPECT_TRUE(some_finding_says(settings, "after 50 steps in 1/2 seeds"));
  EXPECT_TRUE(some_finding_says(settings, "Training does not always repair it"));
  EXPECT_TRUE(some_finding_says(settings, "0.5 ± "));
  EXPECT_FALSE(some_finding_says(settings, "never"));
  EXPECT_TRUE(some_finding_says(made_up(40), "without is slower in 0/2 seeds"));
  EXPECT_TRUE(some_finding_says(made_up(40), "Training repairs it"));
}

TEST(Scaling, TablesAndChartsShowEverySetting) {
  const auto settings = made_up(100);
  const auto tables = scaling_tables(settings);
  EXPECT_EQ(tables.at(0).rows.size(), 8U);
  EXPECT_EQ(tables.at(1).rows.size(), 8U * 4);
  for (const Table& table : tables) {
    for (const auto& row : table.rows) EXPECT_EQ(row.size(), table.columns.size());
  }
  for (const Chart& chart : scaling_charts(settings)) {
    ASSERT_EQ(chart.series.size(), 2U) << chart.name;
    for (const auto& line : chart.series) EXPECT_FALSE(line.points.empty()) << chart.name;
  }
}

}  // namespace
}  // namespace tapehead
