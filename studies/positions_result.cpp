#include "studies/positions_result.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tapehead {

namespace {

constexpr double kLearnedWithin = 0.99;  // accuracy that counts as having learned the task

}  // namespace

std::string LengthBucket::name() const { return fmt::format("{}-{}", low, high); }

std::vector<LengthBucket> buckets_of(const PositionsSettings& s) {
  std::vector<LengthBucket> buckets;
  for (Index low = 1; low <= s.longest_tested; low += s.bucket) {
    buckets.push_back({low, std::min(low + s.bucket - 1, s.longest_tested)});
  }
  return buckets;
}

Estimate LengthNumbers::beyond(std::size_t task, std::size_t position) const {
  std::vector<double> means;
  for (std::size_t seed = 0; seed < seeds(); ++seed) {
    double sum = 0;
    for (std::size_t b = first_beyond(); b < buckets_.size(); ++b) {
      const double accuracy = of_seed(task, position, seed, b);
      sum += std::isnan(accuracy) ? 0 : accuracy;
    }
    means.push_back(sum / static_cast<double>(buckets_.size() - first_beyond()));
  }
  return estimate(means);
}

double LengthNumbers::worst_within(std::size_t task, std::size_t position) const {
  double worst = 1;
  for (std::size_t seed = 0; seed < seeds(); ++seed) {
    for (std::size_t b = 0; b < first_beyond(); ++b) {
      worst = std::min(worst, of_seed(task, position, seed, b));
    }
  }
  return worst;
}

namespace {

Table lengths_table(const LengthNumbers& numbers) {
  Table table{"rows", "share of answers that are wholly right, by the prompt's length", {}, {}};
  table.columns = {"task", "position"};
  for (const LengthBucket& bucket : numbers.buckets()) table.columns.push_back(bucket.name());
  table.columns.emplace_back("beyond");
  for (std::size_t t = 0; t < numbers.settings().tasks.size(); ++t) {
    for (std::size_t p = 0; p < numbers.settings().positions.size(); ++p) {
      std::vector<Cell> row = {numbers.settings().tasks[t], numbers.position_name(p)};
      for (std::size_t b = 0; b < numbers.buckets().size(); ++b) {
        const Estimate e = numbers.at(t, p, b);
        row.push_back(std::isnan(e.mean) ? Cell("cannot") : Cell(e));
      }
      row.emplace_back(numbers.beyond(t, p));
      table.rows.push_back(row);
    }
  }
  return table;
}

Chart lengths_chart(const LengthNumbers& numbers, std::size_t task) {
  const std::string& name = numbers.settings().tasks[task];
  Chart chart{.name = name,
              .title = fmt::format("{}: accuracy by length, trained on 1 to {}", name,
                                   numbers.settings().longest_trained),
              .x_label = "longest prompt of the bucket",
              .y_label = "share of answers wholly right"};
  for (std::size_t p = 0; p < numbers.settings().positions.size(); ++p) {
    ChartSeries series{numbers.position_name(p), {}};
    for (std::size_t b = 0; b < numbers.buckets().size(); ++b) {
      const Estimate e = numbers.at(task, p, b);
      if (std::isnan(e.mean)) continue;
      series.points.push_back(point(static_cast<double>(numbers.buckets()[b].high), e));
    }
    chart.series.push_back(series);
  }
  return chart;
}

// Every seed counts, so that a mean of 99 % is not enough.
std::string within_finding(const LengthNumbers& numbers, std::size_t task) {
  std::vector<std::string> learned, not_learned;
  for (std::size_t p = 0; p < numbers.settings().positions.size(); ++p) {
    const std::string name = numbers.position_name(p);
    const double worst = numbers.worst_within(task, p);
    if (worst >= kLearnedWithin) {
      learned.push_back(name);
    } else {
      not_learned.push_back(
          fmt::format("{} ({:.2f} %; mean on the longest bucket {})", name, 100 * worst,
                      percent_text(numbers.at(task, p, numbers.first_beyond() - 1))));
    }
  }
  const std::string failed =
      not_learned.empty()
          ? ""
          : fmt::format("; at least one seed falls short with (its worst bucket) {}",
                        fmt::join(not_learned, ", "));
  return fmt::format(
      "{} within the lengths of the training: each of the {} seeds has at least {:.0f} % of every "
      "bucket with {}{}.",
      numbers.settings().tasks[task], numbers.seeds(), 100 * kLearnedWithin,
      learned.empty() ? "none of the schemes" : fmt::format("{}", fmt::join(learned, ", ")),
      failed);
}

std::string beyond_finding(const LengthNumbers& numbers, std::size_t task) {
  std::vector<std::size_t> order(numbers.settings().positions.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater<>(), [&](std::size_t position) {
    return numbers.beyond(task, position).mean;
  });
  std::vector<std::string> parts;
  for (const std::size_t p : order) {
    const std::string name = numbers.position_name(p);
    const bool cannot = std::isnan(numbers.at(task, p, numbers.first_beyond()).mean);
    parts.push_back(cannot ? name + " cannot read them"
                           : fmt::format("{} {}", name, percent_text(numbers.beyond(task, p))));
  }
  return fmt::format("{} beyond them, mean over the longer buckets, the best first: {}.",
                     numbers.settings().tasks[task], fmt::join(parts, ", "));
}

// In how many seeds both of "none" and "t5" are above both of "sinusoidal" and "learned" in the
// bucket of the published comparison, the second that is longer than the training's.
std::string published_finding(const LengthNumbers& numbers, std::size_t task) {
  using enum PositionKind;
  const auto& kinds = numbers.settings().positions;
  const auto index = [&](PositionKind kind) {
    return static_cast<std::size_t>(std::ranges::find(kinds, kind) - kinds.begin());
  };
  const std::size_t bucket = numbers.first_beyond() + 1;
  for (const PositionKind kind : {kNone, kT5, kSinusoidal, kLearned}) {
    if (index(kind) == kinds.size() || bucket >= numbers.buckets().size()) return {};
  }
  std::size_t above = 0;
  for (std::size_t seed = 0; seed < numbers.seeds(); ++seed) {
    const auto of = [&](PositionKind kind) {
      const double accuracy = numbers.of_seed(task, index(kind), seed, bucket);
      return std::isnan(accuracy) ? 0 : accuracy;  // who cannot read it answers nothing right
    };
    const bool both = std::min(of(kNone), of(kT5)) > std::max(of(kSinusoidal), of(kLearned));
    above += both ? 1 : 0;
  }
  return fmt::format(
      "{}, lengths {}: no positions and T5 are both above sinusoidal and learned in {} of {} "
      "seeds; "
      "published for 107 million parameters is that they are.",
      numbers.settings().tasks[task], numbers.buckets()[bucket].name(), above, numbers.seeds());
}

}  // namespace

StudyResult positions_result(const LengthNumbers& numbers) {
  const PositionsSettings& s = numbers.settings();
  StudyResult result;
  result.settings = fmt::format(
      "Decoders of {} layers, width {}, 4 heads; prompts of 1 to {} of {} symbols, each length "
      "equally often; AdamW, learning rate 0.002, batch {}, {} steps. Measured on up to {} prompts "
      "a "
      "bucket that are drawn apart from the training's. {} seeds; ± is the standard error of "
      "their "
      "mean.",
      s.layers, s.width, s.longest_trained, s.symbols, s.batch, s.steps, s.rows, s.seeds);
  for (std::size_t t = 0; t < s.tasks.size(); ++t) {
    result.findings.push_back(within_finding(numbers, t));
    result.findings.push_back(beyond_finding(numbers, t));
    const std::string published = published_finding(numbers, t);
    if (!published.empty()) result.findings.push_back(published);
  }
  result.limits = fmt::format(
      "Small models and short trainings: orders of schemes vary at this size, and of rotary and "
      "ALiBi in particular. Learned positions have no vectors beyond the training's length, so "
      "their model cannot read a longer row. Prompts of one or two of {} symbols were seen in "
      "training, of longer ones few. An answer counts only if every symbol and its end "
      "are right.",
      s.symbols);
  result.tables = {lengths_table(numbers)};
  for (std::size_t t = 0; t < s.tasks.size(); ++t) {
    result.charts.push_back(lengths_chart(numbers, t));
  }
  return result;
}

}  // namespace tapehead
