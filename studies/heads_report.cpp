#include "studies/heads_report.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "figures/number_text.h"
#include "studies/study_registry.h"

namespace tapehead {

namespace {

// Of the attention that a perfect head of a kind has; from here on it is called one of that kind.
constexpr double kShareOfAKind = 0.5;
// Standard errors from which on a difference is taken for one.
constexpr double kClearly = 2;

// One head among all, with the numbers of its layer.
struct HeadAt {
  const AttentionLayer* layer;
  Index head;        // from 0
  std::string name;  // "1.2"
};

std::vector<HeadAt> all_heads(const HeadsData& data) {
  std::vector<HeadAt> heads;
  for (std::size_t i = 0; i < data.layers.size(); ++i) {
    const std::string layer = short_layer_name(data.layers, i);
    for (Index h = 0; h < data.layers[i].heads; ++h) {
      heads.push_back({&data.layers[i], h, fmt::format("{}.{}", layer, h + 1)});
    }
  }
  return heads;
}

Estimate repeated_induction(const HeadsData& data, std::size_t head) {
  return data.repeated ? data.repeated->heads[head].induction : Estimate{};
}

std::string top_token_text(const HeadsData& data, const Task& task, std::size_t head) {
  const TokenId token = data.held_out.heads[head].top_token;
  if (token == kPadToken) return "-";
  const bool source = looks_at_source(all_heads(data)[head].layer->kind);
  return (source ? task.source_symbols() : task.symbols()).symbol(token);
}

Table per_head_table(const HeadsData& data, const Task& task) {
  Table table{"rows",
              "Heads: the most attended token and its share of attention, the share on previous, "
              "duplicate and induction keys, and what is lost without the head",
              {"name", "layer", "head", "attends_to", "share", "previous", "duplicate", "induction",
               "induction_repeated", "loss_increase", "accuracy_drop"},
              {}};
  const std::vector<HeadAt> heads = all_heads(data);
  for (std::size_t i = 0; i < heads.size(); ++i) {
    const HeadMeasures& m = data.held_out.heads[i];
    table.rows.push_back({heads[i].name, heads[i].layer->path,
                          static_cast<double>(heads[i].head + 1), top_token_text(data, task, i),
                          m.top_share, m.previous, m.duplicate, m.induction,
                          repeated_induction(data, i), data.losses[i], data.accuracy_drops[i]});
  }
  return table;
}

Table shape_table(const HeadsData& data) {
  Table table{"shape",
              "Heads: weight of the first key, entropy in nats, distance of the attended keys",
              {"name", "layer", "head", "first", "entropy", "distance"},
              {}};
  const std::vector<HeadAt> heads = all_heads(data);
  for (std::size_t i = 0; i < heads.size(); ++i) {
    const HeadMeasures& m = data.held_out.heads[i];
    table.rows.push_back({heads[i].name, heads[i].layer->path,
                          static_cast<double>(heads[i].head + 1), m.first, m.entropy, m.distance});
  }
  return table;
}

Table largest_table(const HeadsData& data) {
  Table table{"largest",
              "The largest shares that a head can have: not every query has such a key",
              {"rows_of", "sequence", "previous", "duplicate", "induction"},
              {}};
  const bool source = std::ranges::any_of(data.layers, queries_source, &AttentionLayer::kind);
  const auto add = [&](const char* rows, const char* sequence, const PatternShares& s) {
    table.rows.push_back(
        {std::string(rows), std::string(sequence), s.previous, s.duplicate, s.induction});
  };
  const auto add_both = [&](const char* rows, const MeasuredHeads& m) {
    add(rows, source ? "target" : "input", m.largest);
    if (source) add(rows, "source", m.largest_of_source);
  };
  add_both("held-out", data.held_out);
  if (data.repeated) add_both("repeated tokens", *data.repeated);
  return table;
}

Chart bar_chart(const HeadsData& data, std::string name, std::string title, std::string y_label) {
  Chart chart{std::move(name), std::move(title), "layer.head", std::move(y_label)};
  for (const HeadAt& head : all_heads(data)) chart.categories.push_back(head.name);
  return chart;
}

template <typename EstimateOf>
ChartSeries bar_series(std::string name, std::size_t count, const EstimateOf& estimate_of) {
  ChartSeries series{std::move(name), {}};
  for (std::size_t i = 0; i < count; ++i) {
    series.points.push_back(point(static_cast<double>(i), estimate_of(i)));
  }
  return series;
}

// A kind of head, as it was looked for.
struct KindOfHead {
  const char *name, *where;
  std::vector<Estimate> shares;
  std::vector<double> largest;  // that each head could have
};

KindOfHead kind_of_head(const HeadsData& data, const MeasuredHeads& measured, const char* name,
                        const char* where, Estimate HeadMeasures::*share,
                        double PatternShares::*largest) {
  KindOfHead kind{name, where, {}, {}};
  const std::vector<HeadAt> heads = all_heads(data);
  for (std::size_t i = 0; i < heads.size(); ++i) {
    kind.shares.push_back(measured.heads[i].*share);
    kind.largest.push_back(
        (queries_source(heads[i].layer->kind) ? measured.largest_of_source : measured.largest).*
        largest);
  }
  return kind;
}

// The strongest head of a kind, in words.
std::string head_kind_finding(const HeadsData& data, const KindOfHead& kind) {
  const auto part = [&kind](std::size_t i) {
    const double p = kind.shares[i].mean / kind.largest[i];
    return std::isnan(p) ? -1 : p;  // cross-attention, or no query has such a key
  };
  const std::vector<HeadAt> heads = all_heads(data);
  std::size_t best = 0;
  for (std::size_t i = 1; i < heads.size(); ++i) {
    if (part(i) > part(best)) best = i;
  }
  if (part(best) < 0) {
    return fmt::format("Of {} heads nothing can be said: no query of {} has such a key.", kind.name,
                       kind.where);
  }
  const std::string numbers =
      fmt::format("{} of its attention on {} (the most that is possible is {})",
                  cell_text(kind.shares[best]), kind.where, number_text(kind.largest[best]));
  if (part(best) >= kShareOfAKind) {
    return fmt::format("Head {} is the strongest {} head: {}.", heads[best].name, kind.name,
                       numbers);
  }
  return fmt::format(
      "There is no {} head: the nearest, {}, has {}, less than half of what a perfect one would "
      "have.",
      kind.name, heads[best].name, numbers);
}

// "rises by 0.1 ± 0.02"
std::string change_text(const Estimate& change) {
  if (change.mean == 0) return fmt::format("does not change ({})", cell_text(change));
  return fmt::format("{} by {}", change.mean > 0 ? "rises" : "falls",
                     cell_text(Estimate{std::abs(change.mean), change.se}));
}

std::string ablation_finding(const HeadsData& data) {
  const std::vector<HeadAt> heads = all_heads(data);
  const auto most = static_cast<std::size_t>(
      std::ranges::max_element(data.losses, {}, &Estimate::mean) - data.losses.begin());
  const auto needed = std::ranges::count_if(
      data.losses, [](const Estimate& e) { return e.mean > kClearly * e.se; });
  const Estimate& drop = data.accuracy_drops[most];
  return fmt::format(
      "Taken out one at a time, {} of {} heads raise the held-out loss by more than two standard "
      "errors over {} rows. The head that is missed the most is {}: without it the loss {}{}.",
      needed, heads.size(), data.rows, heads[most].name, change_text(data.losses[most]),
      std::isnan(drop.mean)
          ? ""
          : fmt::format(" and the token accuracy {}", change_text({-drop.mean, drop.se})));
}

std::vector<std::string> heads_findings(const HeadsData& data) {
  std::vector<std::string> findings = {ablation_finding(data)};
  const MeasuredHeads& m = data.held_out;
  findings.push_back(
      head_kind_finding(data, kind_of_head(data, m, "previous-token", "held-out rows",
                                           &HeadMeasures::previous, &PatternShares::previous)));
  findings.push_back(
      head_kind_finding(data, kind_of_head(data, m, "duplicate-token", "held-out rows",
                                           &HeadMeasures::duplicate, &PatternShares::duplicate)));
  if (data.repeated) {
    findings.push_back(head_kind_finding(
        data, kind_of_head(data, *data.repeated, "induction", "repeated random tokens",
                           &HeadMeasures::induction, &PatternShares::induction)));
  }
  findings.push_back(
      fmt::format("All of this is one run, of seed {}: the errors are over rows, and another seed "
                  "may put other heads to other work.",
                  data.seed));
  return findings;
}

}  // namespace

void report_heads(const HeadsData& data, const Task& task, StudyResult& result) {
  result.question = find_study(result.study).question;
  result.tables = {per_head_table(data, task), shape_table(data), largest_table(data)};
  const std::size_t count = all_heads(data).size();

  Chart ablation =
      bar_chart(data, "ablation", "What is lost without a head", "rise of the held-out loss");
  ablation.series = {
      bar_series("without the head", count, [&](std::size_t i) { return data.losses[i]; })};
  Chart patterns = bar_chart(data, "patterns", "What heads attend to", "share of attention");
  const auto& held_out = data.held_out.heads;
  patterns.series = {
      bar_series("previous token", count, [&](std::size_t i) { return held_out[i].previous; }),
      bar_series("duplicate tokens", count, [&](std::size_t i) { return held_out[i].duplicate; }),
      bar_series("induction", count, [&](std::size_t i) { return held_out[i].induction; })};
  if (data.repeated) {
    patterns.series.push_back(bar_series("induction, repeated tokens", count, [&](std::size_t i) {
      return repeated_induction(data, i);
    }));
  }
  result.charts = {std::move(ablation), std::move(patterns)};
  result.findings = heads_findings(data);
  result.limits =
      "One run is one seed. Shares are over all queries, also those at which the task asks for "
      "nothing, where a head has no reason to do its work; and they count frequent tokens more. "
      "What a head attends to is not yet what it is for: its values decide what is passed on. "
      "Zero-ablation takes one head out at a time, to a place where the model never was, so "
      "heads that stand in for one another seem needless, and the loss of one may include the "
      "harm of the unusual input it leaves. Repeated random tokens are not what most runs were "
      "trained on.";
}

}  // namespace tapehead
