#include "studies/saturation_tables.h"
#include "studies/saturation_results.h"

#include <cmath>
#include <functional>

#include <fmt/format.h>

namespace tapehead {

namespace {

using M = RowMeasure;

double number(Index x) { return static_cast<double>(x); }

// What names a row of the first tables: n, d_k, scale, init, scalar.
std::vector<Cell> row_key(Index n, Index d, bool scaled, std::string init, bool is_float) {
  return {number(n), number(d), std::string(scale_name(scaled)), std::move(init),
          std::string(is_float ? "float" : "double")};
}

using AddCells = std::function<void(const SoftmaxSummary&, std::vector<Cell>&)>;

// A row for every part of the study in which queries and keys have the width of a head.
Table table_of_rows(std::string name, std::string title, std::vector<std::string> columns,
                    const SaturationResults& results, const AddCells& add) {
  Table table{std::move(name), std::move(title), {"n", "d_k", "scale", "init", "scalar"}, {}};
  table.columns.insert(table.columns.end(), columns.begin(), columns.end());
  for (const auto& u : results.units) {
    add(u.rows, table.rows.emplace_back(row_key(u.n, u.d, u.scaled, "unit", u.is_float)));
  }
  for (const auto& i : results.initialised) {
    // Wider inputs, and the textbook's initialiser, are in the table of initialisers.
    if (i.cell.width != 128 || i.cell.init == "unit") continue;
    add(i.rows, table.rows.emplace_back(row_key(i.cell.n, i.cell.d, i.scaled, i.cell.init, false)));
  }
  return table;
}

Table main_table(const SaturationResults& results) {
  return table_of_rows(
      "rows", "What softmax makes of random queries and keys",
      {"abs_dot", "logit_std", "entropy", "max_weight", "jacobian", "grad_logits", "grad_q",
       "exact_ones", "zero_gradients", "zero_weights"},
      results, [](const SoftmaxSummary& s, std::vector<Cell>& cells) {
        cells.insert(cells.end(),
                     {s[M::kAbsDot], s.root(M::kLogitVariance), s[M::kEntropy], s[M::kMaxWeight],
                      s[M::kJacobian], s[M::kGradLogits], s[M::kGradQuery], s.mean(M::kExactOne),
                      s.mean(M::kZeroGradient), s.mean(M::kZeroWeights)});
      });
}

Table more_table(const SaturationResults& results) {
  return table_of_rows("more", "More of the same rows",
                       {"kurtosis", "sum_squares", "jacobian_rms", "grad_logits_rms", "grad_q_rms",
                        "grad_cross_entropy", "above_0.99", "jacobian_below_0.001"},
                       results, [](const SoftmaxSummary& s, std::vector<Cell>& cells) {
                         cells.insert(
                             cells.end(),
                             {s[M::kKurtosis], s[M::kSumSquares], s.root(M::kJacobianSquare),
                              s.root(M::kGradLogitsSquare), s.root(M::kGradQuerySquare),
                              s[M::kGradCrossEntropy], s.mean(M::kAbove99), s.mean(M::kNoSignal)});
                       });
}

double median(const Estimate& e) { return e.quantiles->at(1); }

Table medians_table(const SaturationResults& results) {
  Table table{"medians",
              "Means mislead: the typical row beside the mean, without the scale, in double",
              {"n", "d_k", "entropy_median", "entropy_mean", "grad_logits_median",
               "grad_logits_mean", "grad_q_median", "grad_q_mean"},
              {}};
  for (const auto& u : results.units) {
    if (u.scaled || u.is_float) continue;
    const SoftmaxSummary& s = u.rows;
    table.rows.push_back({number(u.n), number(u.d), median(s[M::kEntropy]), s.mean(M::kEntropy),
                          median(s[M::kGradLogits]), s.mean(M::kGradLogits),
                          median(s[M::kGradQuery]), s.mean(M::kGradQuery)});
  }
  return table;
}

Table curve_table(const SaturationResults& results) {
  Table table{"curve",
              "The curve on which every width and scale lies: logits N(0, s^2)",
              {"n", "s", "entropy", "sum_squares", "jacobian_rms", "jacobian", "grad_logits"},
              {}};
  for (const auto& c : results.curve) {
    table.rows.push_back({number(c.n), c.s, c.rows[M::kEntropy], c.rows[M::kSumSquares],
                          c.rows.root(M::kJacobianSquare), c.rows[M::kJacobian],
                          c.rows[M::kGradLogits]});
  }
  return table;
}

Table initialisers_table(const SaturationResults& results) {
  Table table{"initialisers",
              "Where attention starts, by the initialiser of W_Q and W_K",
              {"init", "width", "n", "d_k", "scale", "variance", "logit_std_expected", "logit_std",
               "entropy", "grad_logits", "grad_q"},
              {}};
  for (const auto& i : results.initialised) {
    const double d = number(i.cell.d);
    const double expected = i.cell.variance() * (i.scaled ? 1 : std::sqrt(d));
    table.rows.push_back({i.cell.init, number(i.cell.width), number(i.cell.n), d,
                          std::string(scale_name(i.scaled)), i.cell.variance(), expected,
                          i.rows.root(M::kLogitVariance), i.rows[M::kEntropy],
                          i.rows[M::kGradLogits], i.rows[M::kGradQuery]});
  }
  return table;
}

// A line of points at the widths of a head; `y` says which number.
ChartSeries line_of_widths(std::string name, const SaturationResults& results, Index n, bool scaled,
                           const std::function<ChartPoint(double, const SoftmaxSummary&)>& y) {
  ChartSeries series{std::move(name), {}};
  for (const Index d : results.widths()) {
    series.points.push_back(y(number(d), results.unit(n, d, scaled)));
  }
  return series;
}

Chart entropy_chart(const SaturationResults& results) {
  Chart chart{"entropy",
              "Entropy of attention: without the scale it falls with the width of a head", "d_k",
              "entropy (nats)", true};
  for (const Index n : results.key_counts()) {
    for (const bool scaled : {false, true}) {
      chart.series.push_back(line_of_widths(
          fmt::format("n = {}, {}", n, scale_name(scaled)), results, n, scaled,
          [](double d, const SoftmaxSummary& s) { return point(d, s[M::kEntropy]); }));
    }
  }
  return chart;
}

// Mean and median of a gradient's norm.
Chart gradient_chart(std::string name, std::string title, const SaturationResults& results,
                     RowMeasure measure) {
  Chart chart{std::move(name), std::move(title), "d_k", "norm of the gradient", true, true};
  for (const bool scaled : {false, true}) {
    chart.series.push_back(line_of_widths(
        fmt::format("{}, mean", scale_name(scaled)), results, kShownKeys, scaled,
        [measure](double d, const SoftmaxSummary& s) { return point(d, s[measure]); }));
    chart.series.push_back(line_of_widths(fmt::format("{}, median", scale_name(scaled)), results,
                                          kShownKeys, scaled,
                                          [measure](double d, const SoftmaxSummary& s) {
                                            return ChartPoint{d, median(s[measure])};
                                          }));
  }
  return chart;
}

Chart curve_chart(Chart chart, const SaturationResults& results,
                  const std::function<Estimate(const SoftmaxSummary&)>& y) {
  for (const Index n : results.key_counts()) {
    ChartSeries series{fmt::format("n = {}", n), {}};
    for (const auto& c : results.curve) {
      if (c.n == n) series.points.push_back(point(c.s, y(c.rows)));
    }
    chart.series.push_back(std::move(series));
  }
  return chart;
}

Chart exact_ones_chart(const SaturationResults& results) {
  Chart chart{"exact_ones", "Rows in which a weight is exactly 1, without the scale", "d_k",
              "share of rows", true};
  for (const Index n : results.key_counts()) {
    for (const bool is_float : {true, false}) {
      ChartSeries series{fmt::format("n = {}, {}", n, is_float ? "float" : "double"), {}};
      for (const auto& u : results.units) {
        if (u.n != n || u.scaled || u.is_float != is_float) continue;
        series.points.push_back(point(number(u.d), u.rows[M::kExactOne]));
      }
      chart.series.push_back(std::move(series));
    }
  }
  return chart;
}

}  // namespace

std::vector<Table> saturation_tables(const SaturationResults& results) {
  return {main_table(results), more_table(results), medians_table(results), curve_table(results),
          initialisers_table(results)};
}

std::vector<Chart> saturation_charts(const SaturationResults& results) {
  return {entropy_chart(results),
          gradient_chart("grad_logits",
                         fmt::format("Gradient at the logits, {} keys: the typical row loses it "
                                     "without the scale",
                                     kShownKeys),
                         results, M::kGradLogits),
          gradient_chart("grad_q",
                         fmt::format("Gradient at the query, {} keys: the mean does not vanish, "
                                     "the median does",
                                     kShownKeys),
                         results, M::kGradQuery),
          curve_chart({"curve_entropy", "Entropy against the spread of the logits",
                       "standard deviation s of the logits", "entropy (nats)", true},
                      results, [](const SoftmaxSummary& s) { return s[M::kEntropy]; }),
          curve_chart({"curve_jacobian",
                       "Softmax passes most on well above s = 1: root mean square of ||J||",
                       "standard deviation s of the logits", "rms ||J||", true},
                      results, [](const SoftmaxSummary& s) { return s.root(M::kJacobianSquare); }),
          exact_ones_chart(results)};
}

}  // namespace tapehead
