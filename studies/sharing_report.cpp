#include "studies/sharing_report.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "figures/number_text.h"

namespace tapehead {

namespace {

// Standard errors from which on a difference is taken for one.
constexpr double kToldApart = 2;

// Of a_i - b_i, the same seed in both.
Estimate paired(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> differences;
  for (std::size_t i = 0; i < a.size(); ++i) differences.push_back(a[i] - b[i]);
  return estimate(differences);
}

Table quality_table(const std::vector<SharingQuality>& qualities) {
  Table table{"rows",
              "Quality at equal parameters, and what a token costs in the cache",
              {"variant", "heads", "kv_heads", "head_width", "d_ff", "parameters", "cache_bytes",
               "loss", "loss_minus_mha", "token_accuracy"},
              {}};
  for (const SharingQuality& q : qualities) {
    const ModelConfig& m = q.variant.model;
    table.rows.push_back(
        {q.variant.name, static_cast<double>(m.heads), static_cast<double>(m.effective_kv_heads()),
         static_cast<double>(m.effective_head_dim()), static_cast<double>(m.effective_d_ff()),
         q.parameters, cache_bytes_per_token(m), estimate(q.losses),
         paired(q.losses, qualities.front().losses), estimate(q.accuracies)});
  }
  return table;
}

Estimate decode_ms(const DecodeCost& cost, std::size_t context) {
  std::vector<double> rounds;
  for (const auto& round : cost.ms) rounds.push_back(round[context]);
  return estimate(rounds);
}

// Time of `a` over that of `b`, round by round.
Estimate decode_ratio(const DecodeCost& a, const DecodeCost& b, std::size_t context) {
  std::vector<double> ratios;
  for (std::size_t r = 0; r < a.ms.size(); ++r) {
    ratios.push_back(a.ms[r][context] / b.ms[r][context]);
  }
  return estimate(ratios);
}

Table decode_table(const std::vector<DecodeCost>& costs) {
  Table table{"decoding",
              "Time of one more token against the context",
              {"variant", "cache_bytes", "context", "ms", "mha_over_this"},
              {}};
  for (const DecodeCost& cost : costs) {
    for (std::size_t i = 0; i < cost.contexts.size(); ++i) {
      table.rows.push_back({cost.variant, cost.cache_bytes, cost.contexts[i], decode_ms(cost, i),
                            decode_ratio(costs.front(), cost, i)});
    }
  }
  return table;
}

Chart quality_chart(const std::vector<SharingQuality>& qualities) {
  Chart chart{"quality", "Held-out loss at equal parameters", "variant", "nats"};
  ChartSeries series{"held-out loss", {}};
  for (const SharingQuality& q : qualities) {
    series.points.push_back(
        point(static_cast<double>(chart.categories.size()), estimate(q.losses)));
    chart.categories.push_back(q.variant.name);
  }
  chart.series = {std::move(series)};
  return chart;
}

Chart decode_chart(const std::vector<DecodeCost>& costs) {
  Chart chart{"decoding", "Time of one more token", "tokens in the cache", "milliseconds", true,
              true};
  for (const DecodeCost& cost : costs) {
    ChartSeries series{cost.variant, {}};
    for (std::size_t i = 0; i < cost.contexts.size(); ++i) {
      series.points.push_back(point(cost.contexts[i], decode_ms(cost, i)));
    }
    chart.series.push_back(std::move(series));
  }
  return chart;
}

std::string cache_finding(const std::vector<DecodeCost>& costs) {
  std::vector<std::string> parts;
  for (const DecodeCost& cost : costs) {
    parts.push_back(fmt::format("{} {} bytes (1/{})", cost.variant, number_text(cost.cache_bytes),
                                number_text(costs.front().cache_bytes / cost.cache_bytes)));
  }
  return fmt::format("A token in the cache of the decoder that was timed: {}.",
                     fmt::join(parts, ", "));
}

std::string decode_finding(const DecodeCost& mha, const DecodeCost& cost) {
  const std::size_t last = mha.contexts.size() - 1;
  const Estimate first_ratio = decode_ratio(mha, cost, 0), ratio = decode_ratio(mha, cost, last);
  const double error = std::hypot(first_ratio.se, ratio.se), change = ratio.mean - first_ratio.mean;
  const char* trend = change > kToldApart * error    ? "grows with the context"
                      : change < -kToldApart * error ? "falls with the context"
                                                     : "does not clearly change with the context";
  const double caches = mha.cache_bytes / cost.cache_bytes;
  return fmt::format(
      "A token of {} takes {} times as long as one of {} at a context of {}, and {} times at {}: "
      "the ratio {}, and at the end is {} that of the caches, {}.",
      mha.variant, cell_text(first_ratio), cost.variant, number_text(mha.contexts.front()),
      cell_text(ratio), number_text(mha.contexts[last]), trend,
      ratio.mean < caches ? "below" : "not below", number_text(caches));
}

std::string difference_text(const Estimate& d) {
  if (!(std::abs(d.mean) > kToldApart * d.se)) return "not told apart from MHA's";
  return d.mean > 0 ? "above MHA's" : "below MHA's";
}

std::string loss_finding(const std::vector<SharingQuality>& qualities) {
  std::vector<std::string> parts;
  for (const SharingQuality& q : qualities) {
    if (q.variant.control || &q == &qualities.front()) continue;
    const Estimate d = paired(q.losses, qualities.front().losses);
    parts.push_back(fmt::format("{} {} ({})", q.variant.name, cell_text(d), difference_text(d)));
  }
  return fmt::format("Loss minus that of MHA, {} nats: {}.",
                     cell_text(estimate(qualities.front().losses)), fmt::join(parts, ", "));
}

// Shazeer 2019, table 1: sharing keys and values costs less than making them as small.
std::string control_finding(const SharingQuality& mqa, const SharingQuality& control) {
  const Estimate more = paired(control.losses, mqa.losses);
  const char* verdict = more.mean > kToldApart * more.se    ? "sharing one head costs less"
                        : more.mean < -kToldApart * more.se ? "sharing one head costs more"
                                                            : "the two are not told apart";
  return fmt::format(
      "With the cache of MQA but unshared, {} has a loss of {}, {} more than MQA: {}.",
      control.variant.name, cell_text(estimate(control.losses)), cell_text(more), verdict);
}

}  // namespace

void report_sharing(const std::vector<SharingQuality>& qualities,
                    const std::vector<DecodeCost>& costs, StudyResult& result) {
  result.tables = {quality_table(qualities), decode_table(costs)};
  result.charts = {quality_chart(qualities), decode_chart(costs)};
  result.findings = {cache_finding(costs)};
  for (std::size_t i = 1; i < costs.size(); ++i) {
    result.findings.push_back(decode_finding(costs.front(), costs[i]));
  }
  result.findings.push_back(loss_finding(qualities));
  const auto mqa = std::ranges::find_if(
      qualities, [](const SharingQuality& q) { return q.variant.name == "MQA"; });
  for (const SharingQuality& q : qualities) {
    if (q.variant.control) result.findings.push_back(control_finding(*mqa, q));
  }
  result.limits =
      "One task and one size: with heads of width 8 everything that makes keys smaller hurts "
      "more than at usual sizes. All were stopped after equally many steps, before the last of "
      "them had learned all there is, so that slower learning and a worse end are not told "
      "apart. Wider feed-forward layers give back parameters, not operations: the variants do "
      "not cost the same time. A cache keeps keys and values apart where K = V, though one copy "
      "would do without rotations. Times are those of one sequence on this machine, and with "
      "more rows at a time the cache weighs more against the weights.";
}

}  // namespace tapehead
