// The figures called "quadrature" were computed without sampling, in float64, from the density of
// independent normal logits; closed forms are derived where they stand. All seeds are fixed.

#include "studies/saturation.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "studies/saturation_findings.h"
#include "studies/saturation_results.h"
#include "studies/saturation_tables.h"
#include "studies/study_files.h"
#include "tests/support/expect.h"

namespace tapehead {
namespace {

using M = RowMeasure;

const std::function<bool()> kGoOn = [] { return false; };

std::vector<double> unit_numbers(Index n, Index d, Index rows) {
  return unit_cell({n, d, rows}, kGoOn).compute(1);
}

void expect_within_four_errors(const Estimate& e, double expected, const std::string& what) {
  EXPECT_TRUE(std::abs(e.mean - expected) < 4 * e.se)
      << what << ": " << e.mean << " +- " << e.se << ", expected " << expected;
}

// E |q.k| = (2/sqrt(pi)) Gamma((d+1)/2) / Gamma(d/2).
double mean_size_of_dot(double d) {
  return 2 / std::sqrt(M_PI) * std::exp(std::lgamma((d + 1) / 2) - std::lgamma(d / 2));
}

TEST(Saturation, DotProductsHaveTheirClosedForms) {
  for (const Index d : {16, 64}) {
    const auto numbers = unit_numbers(16, d, 2000);
    const SoftmaxSummary none = summary_of(numbers, 0), scaled = summary_of(numbers, 1);
    const auto x = static_cast<double>(d);
    expect_within_four_errors(none[M::kAbsDot], mean_size_of_dot(x), "|q.k|");
    expect_within_four_errors(none[M::kKurtosis], 3 * (1 + 2 / x), "kurtosis");
    expect_within_four_errors(none.root(M::kLogitVariance), std::sqrt(x), "logits");
    expect_within_four_errors(scaled.root(M::kLogitVariance), 1, "scaled logits");
  }
}

struct Reference {
  Index n, d, rows;
  bool scaled;
  double entropy, rms_jacobian;  // quadrature
};

class SaturationCell : public ::testing::TestWithParam<Reference> {};

TEST_P(SaturationCell, AgreesWithQuadrature) {
  const Reference& r = GetParam();
  const SoftmaxSummary rows = summary_of(unit_numbers(r.n, r.d, r.rows), r.scaled ? 1 : 0);
  expect_within_four_errors(rows[M::kEntropy], r.entropy, "entropy");
  expect_within_four_errors(rows.root(M::kJacobianSquare), r.rms_jacobian, "rms ||J||");
  // E ||J u||^2 = E ||J||_F^2 for u ~ N(0, I).
  expect_within_four_errors(rows.root(M::kGradLogitsSquare), r.rms_jacobian, "rms ||J u||");
}

INSTANTIATE_TEST_SUITE_P(Cells, SaturationCell,
                         ::testing::Values(Reference{16, 16, 4000, false, 0.90108, 0.31313},
                                           Reference{16, 16, 4000, true, 2.36366, 0.30381},
                                           Reference{64, 64, 2000, false, 0.58428, 0.27109},
                                           Reference{64, 64, 2000, true, 3.68571, 0.18464},
                                           Reference{16, 512, 1000, false, 0.13419, 0.15640},
                                           Reference{256, 32, 1000, true, 5.05291, 0.10036}));

// The mean gradient at q, sampled by another program with 20,000 rows: 1.405 +- 0.011 and
// 0.1775 +- 0.0004.
TEST(Saturation, TheGradientOfTheQueryIsThatOfTheReference) {
  const auto numbers = unit_numbers(64, 64, 2000);
  const Estimate none = summary_of(numbers, 0)[M::kGradQuery];
  const Estimate scaled = summary_of(numbers, 1)[M::kGradQuery];
  EXPECT_NEAR(none.mean, 1.405, 4 * std::hypot(none.se, 0.011));
  EXPECT_NEAR(scaled.mean, 0.1775, 4 * std::hypot(scaled.se, 0.0004));
}

// Shares of rows in which max p rounds to 1, n = 16, d = 1024: 0.363 in float32, 0.084 in float64
// (20,000 rows of another program: standard error 0.0035 and 0.002).
TEST(Saturation, FloatRoundsMoreRowsToExactlyOneThanDouble) {
  const auto numbers = unit_numbers(16, 1024, 1000);
  const Estimate in_double = summary_of(numbers, 0)[M::kExactOne];
  const Estimate in_float = summary_of(numbers, 2)[M::kExactOne];
  EXPECT_NEAR(in_float.mean, 0.363, 4 * std::hypot(in_float.se, 0.0035));
  EXPECT_NEAR(in_double.mean, 0.084, 4 * std::hypot(in_double.se, 0.002));
  EXPECT_EQ(summary_of(numbers, 3).mean(M::kExactOne), 0);  // scaled
}

SoftmaxSummary curve(Index n, double s, Index rows = 4000) {
  return summary_of(curve_cell({n, s, rows}, kGoOn).compute(1), 0);
}

struct OnCurve {
  Index n;
  double s, entropy, sum_squares, rms_jacobian;  // quadrature
};

class SaturationCurve : public ::testing::TestWithParam<OnCurve> {};

TEST_P(SaturationCurve, AgreesWithQuadrature) {
  const OnCurve& c = GetParam();
  const SoftmaxSummary rows = curve(c.n, c.s);
  expect_within_four_errors(rows.root(M::kLogitVariance), c.s, "s");
  expect_within_four_errors(rows[M::kEntropy], c.entropy, "entropy");
  expect_within_four_errors(rows[M::kSumSquares], c.sum_squares, "sum p^2");
  expect_within_four_errors(rows.root(M::kJacobianSquare), c.rms_jacobian, "rms ||J||");
}

INSTANTIATE_TEST_SUITE_P(Points, SaturationCurve,
                         ::testing::Values(OnCurve{16, 0.125, 2.76528, 0.06342, 0.24347},
                                           OnCurve{16, 2, 1.64228, 0.31645, 0.34182},
                                           OnCurve{64, 1, 3.68475, 0.03880, 0.18461},
                                           OnCurve{64, 8, 0.57559, 0.71178, 0.27037},
                                           OnCurve{256, 4, 1.79863, 0.35605, 0.30806}));

// Exact for any n and s, by Gaussian integration by parts: E H = E ln Z - s^2 (1 - E sum p^2); and
// E ||p - e_y||^2 = 1 + E sum p^2 - 2/n for y uniform.
TEST(Saturation, IdentitiesHoldForAnySpread) {
  for (const auto& [n, s] : {std::pair<Index, double>{16, 0.5}, {64, 3}, {64, 8}, {256, 1.5}}) {
    const SoftmaxSummary rows = curve(n, s);
    const Estimate& squares = rows[M::kSumSquares];
    const double entropy = rows.mean(M::kLogSumExp) - s * s * (1 - squares.mean);
    const double error =
        std::hypot(rows[M::kEntropy].se, rows[M::kLogSumExp].se, s * s * squares.se);
    EXPECT_NEAR(rows.mean(M::kEntropy), entropy, 4 * error) << n << ", " << s;
    const Estimate& ce = rows[M::kGradCrossEntropySquare];
    EXPECT_NEAR(ce.mean, 1 + squares.mean - 2 / static_cast<double>(n),
                4 * std::hypot(ce.se, squares.se));
    const Estimate &u = rows[M::kGradLogitsSquare], &j = rows[M::kJacobianSquare];
    EXPECT_NEAR(u.mean, j.mean, 4 * std::hypot(u.se, j.se));
  }
}

// One problem of a single row, by the library's attention.
SoftmaxRows one_row(const Tensor<double>& k, const std::vector<double>& u) {
  Tape<double> tape;
  SoftmaxRows rows;
  measure_rows<double>({tape.leaf(Tensor<double>::full({1, 1, 1}, 1.0), true), tape.leaf(k), 1.0,
                        1.0, u, TokenTensor({1}, {0})},
                       rows);
  return rows;
}

// Two equal weights: ||J||_F = 1/2, its bound; J (1, 1) = 0, J (1, -1) = (1/2, -1/2).
TEST(Saturation, TwoEqualWeightsAttainTheBound) {
  const Tensor<double> equal({1, 2, 1}, {3, 3});
  EXPECT_NEAR(one_row(equal, {1, 1})[M::kJacobian].at(0), 0.5, 1e-15);
  EXPECT_EQ(one_row(equal, {1, 1})[M::kGradLogits].at(0), 0);
  EXPECT_NEAR(one_row(equal, {1, -1})[M::kGradLogits].at(0), std::sqrt(0.5), 1e-15);
  EXPECT_NEAR(one_row(equal, {1, 1})[M::kEntropy].at(0), std::log(2.0), 1e-15);
  EXPECT_NEAR(one_row(equal, {1, 1})[M::kLogSumExp].at(0), 3 + std::log(2.0), 1e-15);
}

// The least entropy of logits of norm S, n of them (Zhai et al. 2023, theorem 3.1), is attained by
// S (sqrt((n-1)/n), -1/sqrt(n(n-1)), ...).
TEST(Saturation, TheLeastEntropyOfLogitsOfANormIsThatOfTheTheorem) {
  const auto least = [](Index n, double size) {
    const auto count = static_cast<double>(n);
    Tensor<double> k = Tensor<double>::full({1, n, 1}, -size / std::sqrt(count * (count - 1)));
    k[0] = size * std::sqrt((count - 1) / count);
    return one_row(k, std::vector<double>(static_cast<std::size_t>(n), 0))[M::kEntropy].at(0);
  };
  EXPECT_NEAR(least(16, 1), 2.716801, 1e-6);
  EXPECT_NEAR(least(16, 8), 0.035721, 1e-6);
  EXPECT_NEAR(least(64, 4), 2.878547, 1e-6);
  EXPECT_NEAR(least(256, 8), 0.703447, 1e-6);
}

// s = v sqrt(d_k), v being the variance of an entry of q or k.
TEST(Saturation, InitialisersHaveTheSpreadOfTheirVariance) {
  for (const char* init : {"unit", "pytorch", "xavier", "normal_0.02"}) {
    const InitCell cell{init, 64, 16, 16, 1200};
    const SoftmaxSummary rows = summary_of(init_cell(cell, kGoOn).compute(1), 0);
    expect_within_four_errors(rows.root(M::kLogitVariance), cell.variance() * 4, init);
  }
  EXPECT_NEAR((InitCell{"normal_0.02", 768, 64, 64, 1}.variance()), 0.3072, 1e-12);
}

TEST(Saturation, ACellHasTheSameBitsEachTimeAndCanBeStopped) {
  EXPECT_EQ(unit_numbers(16, 16, 200), unit_numbers(16, 16, 200));
  const std::function<bool()> stop = [] { return true; };
  EXPECT_THROW(unit_cell({16, 16, 200}, stop).compute(1), StudyInterrupted);
}

// --- Tables, charts and findings -----------------------------------------------------------------

SaturationResults small_results() {
  SaturationResults r;
  for (const Index d : {16, 1024}) {
    for (const Index n : {16, 64}) {
      const auto numbers = unit_numbers(n, d, 40);
      for (std::size_t part = 0; part < 4; ++part) {
        r.units.push_back({n, d, part % 2 == 1, part >= 2, summary_of(numbers, part)});
      }
    }
  }
  for (const Index n : {16, 64}) {
    for (const double s : {1.0, 3.0}) r.curve.push_back({n, s, curve(n, s, 40)});
  }
  const InitCell cell{"pytorch", 128, 64, 64, 8};
  const auto numbers = init_cell(cell, kGoOn).compute(1);
  for (const bool scaled : {false, true}) {
    r.initialised.push_back({cell, scaled, summary_of(numbers, scaled ? 1 : 0)});
  }
  return r;
}

TEST(Saturation, RowsHaveTheDocumentedKeys) {
  StudyResult study;
  const SaturationResults results = small_results();
  study.tables = saturation_tables(results);
  study.charts = saturation_charts(results);
  study.findings = saturation_findings(results);
  const auto rows = nlohmann::json::parse(to_json(study)).at("rows");
  ASSERT_EQ(rows.size(), 2U * 2 * 4 + 2);
  for (const auto& row : rows) {
    EXPECT_TRUE(row.at("scale") == "none" || row.at("scale") == "inv_sqrt");
    EXPECT_TRUE(row.at("init") == "unit" || row.at("init") == "pytorch");
    EXPECT_TRUE(row.at("scalar") == "double" || row.at("scalar") == "float");
    for (const char* number : {"n", "d_k", "exact_ones", "zero_gradients", "zero_weights"}) {
      EXPECT_TRUE(row.at(number).is_number()) << number;
    }
    for (const char* estimate :
         {"abs_dot", "logit_std", "entropy", "max_weight", "jacobian", "grad_logits", "grad_q"}) {
      for (const char* key : {"mean", "se", "q10", "median", "q90"}) {
        EXPECT_TRUE(row.at(estimate).at(key).is_number()) << estimate << "." << key;
      }
    }
  }
  for (const Chart& chart : study.charts) {
    EXPECT_FALSE(chart.series.empty()) << chart.name;
    for (const ChartSeries& line : chart.series) EXPECT_FALSE(line.points.empty()) << chart.name;
  }
  EXPECT_EQ(study.findings.size(), 9U);
}

// Findings are computed: that the mean gradient at the query does not fall, from these numbers.
TEST(Saturation, FindingsSayWhatTheNumbersSay) {
  SaturationResults results = small_results();
  const auto says = [&results](const char* words) {
    const auto findings = saturation_findings(results);
    return std::ranges::any_of(findings, [words](const std::string& finding) {
      return finding.find(words) != std::string::npos;
    });
  };
  EXPECT_TRUE(says("It is false of the mean gradient at the query"));
  std::vector<double> numbers(SoftmaxSummary::kSize, 1e-6);
  for (auto& unit : results.units) {
    if (unit.d == 1024) unit.rows = SoftmaxSummary(numbers);
  }
  EXPECT_TRUE(says("It is true of the mean gradient at the query"));
}

}  // namespace
}  // namespace tapehead
