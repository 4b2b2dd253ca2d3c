#include "studies/complexity_report.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "figures/number_text.h"
#include "studies/power_law.h"

namespace tapehead {

namespace {

constexpr double kMiB = 1 << 20;
constexpr std::size_t kFittedLengths = 4;  // the longest ones: short ones cost what any call costs

// Over the rounds, at one length.
Estimate ms_at(const LayerCost& cost, std::size_t length) {
  std::vector<double> rounds;
  for (const auto& round : cost.ms) rounds.push_back(round[length]);
  return estimate(rounds);
}

std::size_t first_fitted(const LayerCost& cost) {
  return cost.lengths.size() - std::min(kFittedLengths, cost.lengths.size());
}

Estimate time_exponent(const LayerCost& cost) {
  std::vector<double> x, y;
  for (const auto& round : cost.ms) {
    for (std::size_t i = first_fitted(cost); i < cost.lengths.size(); ++i) {
      x.push_back(cost.lengths[i]);
      y.push_back(round[i]);
    }
  }
  return fit_power_law(x, y).exponent;
}

Estimate memory_exponent(const LayerCost& cost) {
  const auto upper = std::span(cost.lengths).subspan(first_fitted(cost));
  return fit_power_law(upper, std::span(cost.bytes).subspan(first_fitted(cost))).exponent;
}

Table cost_table(const std::vector<LayerCost>& costs) {
  Table table{"rows",
              "Time and memory of one forward and backward pass",
              {"layer", "length", "ms", "peak_mib"},
              {}};
  for (const LayerCost& cost : costs) {
    for (std::size_t i = 0; i < cost.lengths.size(); ++i) {
      table.rows.push_back({cost.layer, cost.lengths[i], ms_at(cost, i), cost.bytes[i] / kMiB});
    }
  }
  return table;
}

Table exponent_table(const std::vector<LayerCost>& costs) {
  Table table{"exponents",
              "Cost as a power of the length, fitted over the longest lengths",
              {"layer", "from", "to", "time", "memory"},
              {}};
  for (const LayerCost& cost : costs) {
    table.rows.push_back({cost.layer, cost.lengths[first_fitted(cost)], cost.lengths.back(),
                          time_exponent(cost), memory_exponent(cost)});
  }
  return table;
}

// Where a pair of layers takes equally long.
struct Crossing {
  Estimate length;            // over the rounds in which there is one
  std::size_t rounds = 0;     // in which there is one
  bool always = true;         // one of both is faster at every length in every round
  double longest = 0;         // that both have
  Estimate ratio_at_longest;  // time of the first over that of the second
};

Crossing crossing_of(const LayerCost& a, const LayerCost& b) {
  const std::size_t n = std::min(a.lengths.size(), b.lengths.size());
  Crossing c;
  c.longest = a.lengths[n - 1];
  std::vector<double> lengths, ratios;
  for (std::size_t round = 0; round < a.ms.size(); ++round) {
    const auto found = crossover(std::span(a.lengths).first(n), std::span(a.ms[round]).first(n),
                                 std::span(b.ms[round]).first(n));
    if (found) lengths.push_back(*found);
    ratios.push_back(a.ms[round][n - 1] / b.ms[round][n - 1]);
    for (std::size_t i = 0; i < n; ++i) {
      const bool slower = a.ms[round][i] > b.ms[round][i];
      c.always = c.always && slower == (ratios.front() > 1);
    }
  }
  c.length = estimate(lengths);
  c.rounds = lengths.size();
  c.ratio_at_longest = estimate(ratios);
  return c;
}

bool is_attention(const LayerCost& cost) { return cost.layer.starts_with("attention"); }

template <typename F>
void for_each_pair(const std::vector<LayerCost>& costs, const F& f) {
  for (const LayerCost& a : costs) {
    for (const LayerCost& b : costs) {
      if (is_attention(a) && !is_attention(b)) f(a, b, crossing_of(a, b));
    }
  }
}

Table crossover_table(const std::vector<LayerCost>& costs) {
  Table table{"crossovers",
              "The length from which on attention takes longer than another layer",
              {"layer", "other", "length", "rounds", "at_length", "time_ratio"},
              {}};
  for_each_pair(costs, [&table](const LayerCost& a, const LayerCost& b, const Crossing& c) {
    table.rows.push_back(
        {a.layer, b.layer, c.length, static_cast<double>(c.rounds), c.longest, c.ratio_at_longest});
  });
  return table;
}

template <typename EstimateAt>
Chart cost_chart(const std::vector<LayerCost>& costs, std::string name, std::string title,
                 std::string y_label, const EstimateAt& estimate_at) {
  Chart chart{
      std::move(name), std::move(title), "length of the sequence", std::move(y_label), true, true};
  for (const LayerCost& cost : costs) {
    ChartSeries series{cost.layer, {}};
    for (std::size_t i = 0; i < cost.lengths.size(); ++i) {
      series.points.push_back(point(cost.lengths[i], estimate_at(cost, i)));
    }
    chart.series.push_back(std::move(series));
  }
  return chart;
}

std::string exponent_finding(const std::vector<LayerCost>& costs, const char* what,
                             Estimate (*exponent)(const LayerCost&)) {
  std::vector<std::string> parts;
  for (const LayerCost& cost : costs) {
    parts.push_back(fmt::format("{} for {} ({} to {})", cell_text(exponent(cost)), cost.layer,
                                number_text(cost.lengths[first_fitted(cost)]),
                                number_text(cost.lengths.back())));
  }
  return fmt::format("{} grows as a power of the length with the exponent {}.", what,
                     fmt::join(parts, ", "));
}

std::string crossing_finding(const LayerCost& a, const LayerCost& b, const Crossing& c) {
  const std::string at_longest = fmt::format("at {} it takes {} times as long",
                                             number_text(c.longest), cell_text(c.ratio_at_longest));
  if (c.rounds == a.ms.size()) {
    return fmt::format("{} becomes slower than {} at length {}; {}.", a.layer, b.layer,
                       cell_text(c.length), at_longest);
  }
  if (c.rounds == 0) {
    return fmt::format(
        "{} is {} than {} {}; {}.", a.layer, c.ratio_at_longest.mean > 1 ? "slower" : "faster",
        b.layer, c.always ? "at every length measured" : "in the end, and not before", at_longest);
  }
  return fmt::format("{} becomes slower than {} in {} of {} rounds only; {}.", a.layer, b.layer,
                     c.rounds, a.ms.size(), at_longest);
}

// Keeping the weights against computing them again, at the longest length of both.
std::string tiling_finding(const std::vector<LayerCost>& costs) {
  const LayerCost& kept = *std::ranges::find(costs, "attention_kept", &LayerCost::layer);
  const LayerCost& tiled = *std::ranges::find(costs, "attention_tiled", &LayerCost::layer);
  const Crossing c = crossing_of(kept, tiled);
  const std::size_t n = std::min(kept.lengths.size(), tiled.lengths.size()) - 1;
  return fmt::format(
      "At {} time steps, keeping the weights takes {} MiB, computing them again {} MiB ({} times "
      "less); in time, keeping them takes {} times as long as computing them again.",
      number_text(c.longest), number_text(kept.bytes[n] / kMiB), number_text(tiled.bytes[n] / kMiB),
      number_text(kept.bytes[n] / tiled.bytes[n]), cell_text(c.ratio_at_longest));
}

}  // namespace

void report_complexity(const std::vector<LayerCost>& costs, StudyResult& result) {
  result.tables = {cost_table(costs), exponent_table(costs), crossover_table(costs)};
  result.charts = {
      cost_chart(costs, "time", "Time of a forward and backward pass", "milliseconds", ms_at),
      cost_chart(
          costs, "memory", "Peak memory of a forward and backward pass", "MiB",
          [](const LayerCost& cost, std::size_t i) { return Estimate{cost.bytes[i] / kMiB}; })};
  result.findings = {exponent_finding(costs, "Time", time_exponent),
                     exponent_finding(costs, "Peak memory", memory_exponent),
                     tiling_finding(costs)};
  for_each_pair(costs, [&result](const LayerCost& a, const LayerCost& b, const Crossing& c) {
    result.findings.push_back(crossing_finding(a, b, c));
  });
  result.limits =
      "Times are those of this program on this machine, of one layer of one width and one "
      "sequence at a time: where lines cross moves with the width, the number of heads, the "
      "batch and the hardware. A recurrent layer works through a sequence step by step, which a "
      "machine with more processors would feel more. Exponents over a finite range include what "
      "grows more slowly: projections are linear in the length, products of attention quadratic, "
      "so that the true power of attention is approached from below. The errors of exponents are "
      "those of a straight line through the points; they do not say that the line is straight.";
}

}  // namespace tapehead
