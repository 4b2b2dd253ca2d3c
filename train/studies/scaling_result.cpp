#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>

#include <fmt/format.h>

#include "train/report/text_table.h"
#include "train/studies/scaling.h"

namespace tapehead {

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kQuarters = 4;  // of a training, for what is shown over time

// A number of each seed's outcome, and the estimate over the seeds.
std::vector<double> over_seeds(const ScalingSetting& s,
                               const std::function<double(const ScalingOutcome&)>& number) {
  std::vector<double> values;
  std::ranges::transform(s.seeds, std::back_inserter(values), number);
  return values;
}
Estimate estimate_over(const ScalingSetting& s,
                       const std::function<double(const ScalingOutcome&)>& number) {
  return estimate(over_seeds(s, number));
}

// Of the seeds that reached 90 %.
std::vector<double> steps_reached(const ScalingSetting& s) {
  std::vector<double> steps = over_seeds(s, [](const auto& o) { return o.steps_to_90; });
  std::erase_if(steps, [](double x) { return std::isnan(x); });
  return steps;
}

double last(const std::vector<double>& series) { return series.back(); }

// The part of a series that belongs to one quarter of the training.
std::span<const double> quarter(std::span<const double> series, std::size_t q) {
  const std::size_t begin = series.size() * q / kQuarters;
  return series.subspan(begin, series.size() * (q + 1) / kQuarters - begin);
}

// Median and 90th percentile of the gradients of all seeds in a quarter.
std::array<double, 2> gradient_quantiles(const ScalingSetting& s, std::size_t q) {
  std::vector<double> all;
  for (const ScalingOutcome& o : s.seeds) {
    const auto part = quarter(o.gradient, q);
    all.insert(all.end(), part.begin(), part.end());
  }
  if (all.empty()) return {kNone, kNone};
  const Estimate e = estimate_with_quantiles(all);
  return {e.quantiles->at(1), e.quantiles->at(2)};
}

// The same of one seed's whole training.
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
    table.rows.push_back({static_cast<double>(s.d), s.init, s.scale,
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
        return quarter(series, q).empty() ? kNone : quarter(series, q).back();
      };
      const auto [median, high] = gradient_quantiles(s, q);
      table.rows.push_back(
          {static_cast<double>(s.d), s.init, s.scale,
           static_cast<double>(s.steps) * static_cast<double>(q + 1) / kQuarters,
           estimate_over(s, [&](const auto& o) { return end_of_quarter(o.entropy); }),
           estimate_over(s, [&](const auto& o) { return end_of_quarter(o.above_99); }), median,
           high});
    }
  }
  return table;
}

Index widest(const std::vector<ScalingSetting>& settings) {
  return std::ranges::max(settings, {}, &ScalingSetting::d).d;
}
Index narrowest(const std::vector<ScalingSetting>& settings) {
  return std::ranges::min(settings, {}, &ScalingSetting::d).d;
}

const ScalingSetting& find_setting(const std::vector<ScalingSetting>& settings, Index d,
                                   std::string_view init, std::string_view scale) {
  return *std::ranges::find_if(settings, [&](const ScalingSetting& s) {
    return s.d == d && s.init == init && s.scale == scale;
  });
}

// A line for each scale: a series of the outcomes against the step, for one width and initialiser.
Chart chart_over_time(Chart chart, const std::vector<ScalingSetting>& settings, Index d,
                      std::string_view init, std::vector<double> ScalingOutcome::*series,
                      Index first_step) {
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
  for (const char* init : {"pytorch", "unit_qk"}) {
    ChartSeries bars{init, {}};
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

// --- Findings ------------------------------------------------------------------------------------

std::string steps_text(const ScalingSetting& s) {
  const std::vector<double> steps = steps_reached(s);
  const std::string reached = steps.empty()
                                  ? fmt::format("never within {} steps", s.steps)
                                  : fmt::format("after {} steps", cell_text(estimate(steps)));
  return fmt::format("{} in {}/{} seeds", reached, steps.size(), s.seeds.size());
}

std::string estimate_of(const ScalingSetting& s,
                        const std::function<double(const ScalingOutcome&)>& number) {
  return cell_text(estimate_over(s, number));
}

// In how many seeds `a` reaches 90 % later than `b`, or not at all.
std::size_t seeds_slower(const ScalingSetting& a, const ScalingSetting& b) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < a.seeds.size(); ++i) {
    const double x = a.seeds[i].steps_to_90, y = b.seeds[i].steps_to_90;
    if (!std::isnan(y) && (std::isnan(x) || x > y)) ++count;
  }
  return count;
}

std::string start_finding(const std::vector<ScalingSetting>& settings, Index d,
                          std::string_view init) {
  const ScalingSetting& s = find_setting(settings, d, init, "none");
  return fmt::format(
      "Step 0, d_k = {}, {}, no scale: logits of standard deviation s = {}, entropy {} nats where "
      "independent normal logits of that s would have {}, a weight above 0.99 for {} of the "
      "queries.",
      d, init, estimate_of(s, [](const auto& o) { return o.logit_std; }),
      estimate_of(s, [](const auto& o) { return o.entropy.front(); }),
      estimate_of(s, [](const auto& o) { return o.iid_entropy; }),
      estimate_of(s, [](const auto& o) { return o.above_99.front(); }));
}

std::string speed_finding(const std::vector<ScalingSetting>& settings, Index d,
                          std::string_view init) {
  const ScalingSetting& none = find_setting(settings, d, init, "none");
  const ScalingSetting& scaled = find_setting(settings, d, init, "inv_sqrt");
  return fmt::format(
      "d_k = {}, {} (s = {} at step 0 without the scale): without it 90 % are reached {}, with "
      "1/sqrt(d_k) {}; without is slower in {}/{} seeds.",
      d, init, estimate_of(none, [](const auto& o) { return o.logit_std; }), steps_text(none),
      steps_text(scaled), seeds_slower(none, scaled), none.seeds.size());
}

std::string repair_finding(const std::vector<ScalingSetting>& settings, Index d) {
  const ScalingSetting& s = find_setting(settings, d, "unit_qk", "none");
  const std::size_t reached = steps_reached(s).size();
  const char* verdict = reached == s.seeds.size() ? "repairs"
                        : reached == 0            ? "does not repair"
                                                  : "does not always repair";
  return fmt::format(
      "Training {} it within {} steps (d_k = {}, unit_qk, no scale): {} of whole sequences are "
      "right at the end; the entropy goes from {} to {} nats, the share of queries with a weight "
      "above 0.99 from {} to {}.",
      verdict, s.steps, d, estimate_of(s, [](const auto& o) { return o.accuracy; }),
      estimate_of(s, [](const auto& o) { return o.entropy.front(); }),
      estimate_of(s, [](const auto& o) { return last(o.entropy); }),
      estimate_of(s, [](const auto& o) { return o.above_99.front(); }),
      estimate_of(s, [](const auto& o) { return last(o.above_99); }));
}

std::string others_finding(const std::vector<ScalingSetting>& settings, Index d) {
  std::string text;
  for (const ScalingSetting& s : settings) {
    if (s.d != d || s.init != "unit_qk" || s.scale == "none" || s.scale == "inv_sqrt") continue;
    text += fmt::format("{} {} {}", text.empty() ? "" : ";", s.scale, steps_text(s));
  }
  return fmt::format("Other scales, d_k = {}, unit_qk:{}.", d, text);
}

std::string gradient_finding(const std::vector<ScalingSetting>& settings, Index d) {
  std::string text;
  for (const char* scale : {"none", "inv_sqrt"}) {
    const ScalingSetting& s = find_setting(settings, d, "unit_qk", scale);
    const auto [median, high] = gradient_quantiles(s, 0);
    text += fmt::format("{} {}: median {}, 90th percentile {}", text.empty() ? "" : ";", scale,
                        number_text(median), number_text(high));
  }
  return fmt::format(
      "Norm of the gradient at W_Q in the first quarter of the training, all seeds, d_k = {}, "
      "unit_qk:{}.",
      d, text);
}

}  // namespace

std::vector<Table> scaling_tables(const std::vector<ScalingSetting>& settings) {
  return {outcome_table(settings), time_table(settings)};
}

std::vector<Chart> scaling_charts(const std::vector<ScalingSetting>& settings) {
  const Index d = widest(settings);
  const std::string which = fmt::format("d_k = {}, queries and keys of variance 1", d);
  return {accuracy_chart(settings, d),
          chart_over_time(
              {"entropy", "Entropy of attention in training, " + which, "step", "entropy (nats)"},
              settings, d, "unit_qk", &ScalingOutcome::entropy, 0),
          chart_over_time({"above_99", "Queries with a weight above 0.99, " + which, "step",
                           "share of queries"},
                          settings, d, "unit_qk", &ScalingOutcome::above_99, 0),
          chart_over_time({"grad_w_q", "Gradient at W_Q in training, " + which, "step",
                           "norm of the gradient", false, true},
                          settings, d, "unit_qk", &ScalingOutcome::gradient, 1)};
}

std::vector<std::string> scaling_findings(const std::vector<ScalingSetting>& settings) {
  const Index wide = widest(settings), narrow = narrowest(settings);
  std::vector<std::string> findings;
  for (const char* init : {"unit_qk", "pytorch"}) {
    findings.push_back(start_finding(settings, wide, init));
  }
  for (const Index d : {wide, narrow}) {
    for (const char* init : {"unit_qk", "pytorch"}) {
      findings.push_back(speed_finding(settings, d, init));
    }
  }
  findings.push_back(repair_finding(settings, wide));
  findings.push_back(others_finding(settings, wide));
  findings.push_back(gradient_finding(settings, wide));
  return findings;
}

}  // namespace tapehead
