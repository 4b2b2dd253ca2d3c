#include "studies/scaling_tables.h"
#include "studies/scaling_outcomes.h"
#include "studies/scaling_run.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "train/config/words.h"

namespace tapehead {

namespace {

using Init = InitOptions::Scheme;

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

double last(const std::vector<double>& series) { return series.back(); }

// A quantile of the gradients of one seed's whole training.
double gradient_quantile(const ScalingOutcome& o, std::size_t which) {
  return estimate_with_quantiles(o.gradient).quantiles->at(which);
}

Table outcome_table(const std::vector<ScalingSetting>& settings) {
  Table table{"rows",
              "Learning to copy, by scale, width of the head and initialiser",
              {"d_k", "init", "scale", "seeds", "reached_90", "steps_to_90", "final_accuracy",
               "logit_std_0", "entropy_0", "entropy_0_iid", "above_0.99_0", "entropy_end",
               "above_0.99_end", "grad_w_q_median", "grad_w_q_q90"},
              {}};
  for (const ScalingSetting& s : settings) {
    const std::vector<double> steps = steps_reached(s);
    const auto of = [&s](const auto& number) { return estimate_over(s, number); };
    using O = ScalingOutcome;
    table.rows.push_back({static_cast<double>(s.d), std::string(name_of(s.init)), s.scale,
                          static_cast<double>(s.seeds.size()), static_cast<double>(steps.size()),
                          estimate(steps), of([](const O& o) { return o.accuracy; }),
                          of([](const O& o) { return o.logit_std; }),
                          of([](const O& o) { return o.entropy.front(); }),
                          of([](const O& o) { return o.iid_entropy; }),
                          of([](const O& o) { return o.above_99.front(); }),
                          of([](const O& o) { return last(o.entropy); }),
                          of([](const O& o) { return last(o.above_99); }),
                          of([](const O& o) { return gradient_quantile(o, 1); }),
                          of([](const O& o) { return gradient_quantile(o, 2); })});
  }
  return table;
}

Table time_table(const std::vector<ScalingSetting>& settings) {
  Table table{
      "over_time",
      "At the end of each quarter of the training; gradients at W_Q of the whole quarter",
      {"d_k", "init", "scale", "step", "entropy", "above_0.99", "grad_w_q_median", "grad_w_q_q90"},
      {}};
  for (const ScalingSetting& s : settings) {
    for (std::size_t q = 0; q < kQuarters; ++q) {
      const auto end_of_quarter = [q](const std::vector<double>& series) {
        return quarter_of(series, q).empty() ? kNone : quarter_of(series, q).back();
      };
      const auto [median, high] = gradient_quantiles(s, q);
      table.rows.push_back(
          {static_cast<double>(s.d), std::string(name_of(s.init)), s.scale,
           static_cast<double>(s.steps) * static_cast<double>(q + 1) / kQuarters,
           estimate_over(s, [&](const auto& o) { return end_of_quarter(o.entropy); }),
           estimate_over(s, [&](const auto& o) { return end_of_quarter(o.above_99); }), median,
           high});
    }
  }
  return table;
}

// A line for each scale: a series of the outcomes against the step, for one width and initialiser.
Chart chart_over_time(Chart chart, const std::vector<ScalingSetting>& settings, Index d, Init init,
                      std::vector<double> ScalingOutcome::*series, Index first_step) {
  for (const ScalingSetting& s : settings) {
    if (s.d != d || s.init != init) continue;
    const std::size_t count = (s.seeds.front().*series).size();
    const auto steps_between = static_cast<double>(s.steps) / static_cast<double>(kScalingRecords);
    ChartSeries line{s.scale, {}};
    for (std::size_t i = 0; i < count; ++i) {
      const double step =
          (static_cast<double>(i) + static_cast<double>(first_step)) * steps_between;
      line.points.push_back(
          point(step, estimate_over(s, [&](const auto& o) { return (o.*series)[i]; })));
    }
    chart.series.push_back(std::move(line));
  }
  return chart;
}

// Accuracy at the end, a bar for each scale and initialiser.
Chart accuracy_chart(const std::vector<ScalingSetting>& settings, Index d) {
  Chart chart{"accuracy", fmt::format("Whole sequences right at the end, d_k = {}", d), "scale",
              "share of sequences"};
  for (const Init init : {Init::kPytorch, Init::kUnitQueriesAndKeys}) {
    ChartSeries bars{std::string(name_of(init)), {}};
    for (const ScalingSetting& s : settings) {
      if (s.d != d || s.init != init) continue;
      bars.points.push_back(point(static_cast<double>(bars.points.size()),
                                  estimate_over(s, [](const auto& o) { return o.accuracy; })));
      if (chart.series.empty()) chart.categories.push_back(s.scale);
    }
    chart.series.push_back(std::move(bars));
  }
  return chart;
}

}  // namespace

std::vector<Table> scaling_tables(const std::vector<ScalingSetting>& settings) {
  return {outcome_table(settings), time_table(settings)};
}

std::vector<Chart> scaling_charts(const std::vector<ScalingSetting>& settings) {
  const Index d = widest_head(settings);
  const std::string which = fmt::format("d_k = {}, queries and keys of variance 1", d);
  return {accuracy_chart(settings, d),
          chart_over_time(
              {"entropy", "Entropy of attention in training, " + which, "step", "entropy (nats)"},
              settings, d, Init::kUnitQueriesAndKeys, &ScalingOutcome::entropy, 0),
          chart_over_time({"above_99", "Queries with a weight above 0.99, " + which, "step",
                           "share of queries"},
                          settings, d, Init::kUnitQueriesAndKeys, &ScalingOutcome::above_99, 0),
          chart_over_time({"grad_w_q", "Gradient at W_Q in training, " + which, "step",
                           "norm of the gradient", false, true},
                          settings, d, Init::kUnitQueriesAndKeys, &ScalingOutcome::gradient, 1)};
}

}  // namespace tapehead
