#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "app/documents/probe_charts.h"
#include "app/documents/run_report.h"
#include "figures/attention_maps.h"
#include "figures/curves.h"

namespace tapehead {

namespace {

constexpr std::size_t kMostPoints = 400;         // of a curve: a point for each pixel or two
constexpr std::size_t kMostWeights = 8'000'000;  // of a page's map: some 20 MB

using Runs = std::span<const RunReport>;

// --- curves ---

template <typename Row>
std::vector<Measured> column(const std::vector<Row>& rows, double Row::*member) {
  std::vector<Measured> result;
  result.reserve(rows.size());
  for (const Row& row : rows) result.push_back({row.step, row.*member});
  return result;
}

// A chart of curves that grows series by series.
class CurveChart {
 public:
  CurveChart(std::string name, std::string title, std::string y_label)
      : chart_{.name = std::move(name),
               .title = std::move(title),
               .x_label = "training step",
               .y_label = std::move(y_label)} {}

  void add_if_measured(const std::string& series, std::vector<Measured> measured) {
    const auto finite = [](const Measured& m) { return std::isfinite(m.value); };
    if (std::ranges::any_of(measured, finite)) add(series, std::move(measured));
  }

  // A series without a number keeps its place and colour among those of other charts.
  void add(const std::string& series, std::vector<Measured> measured) {
    names_.push_back(series);
    curves_.push_back(std::move(measured));
  }

  // Appends the chart, unless nothing was measured. With `log_if_wide` the axis becomes logarithmic
  // if the values are positive and span more than a factor of 50.
  void append_to(std::vector<Block>& blocks, bool log_if_wide) {
    std::size_t longest = 0;
    for (const auto& c : curves_) longest = std::max(longest, c.size());
    const Index bucket = bucket_size(longest, kMostPoints);
    double low = std::numeric_limits<double>::infinity(), high = 0;
    for (std::size_t i = 0; i < curves_.size(); ++i) {
      chart_.series.push_back(curve(names_[i], curves_[i], bucket));
      for (const ChartPoint& p : chart_.series.back().points) {
        low = std::min({low, p.y, std::isnan(p.low) ? p.y : p.low});
        high = std::max(high, p.y);
      }
    }
    if (std::isinf(low)) return;
    constexpr double kWide = 50;
    chart_.log_y = log_if_wide && low > 0 && high / low > kWide;
    chart_.note = bucket_note(bucket);
    blocks.emplace_back(std::move(chart_));
  }

 private:
  Chart chart_;
  std::vector<std::string> names_;
  std::vector<std::vector<Measured>> curves_;
};

std::string loss_label(Runs runs) {
  return std::ranges::all_of(runs, &RunReport::real) ? "mean squared error" : "loss (nats)";
}

void add_one_runs_curves(const RunReport& run, std::vector<Block>& blocks) {
  const Metrics& m = run.metrics;
  CurveChart loss("loss", "Loss", loss_label({&run, 1}));
  loss.add_if_measured("training batch", column(m.training(), &TrainingRow::loss));
  loss.add_if_measured("held-out data", column(m.validation(), &ValidationRow::validation_loss));
  loss.append_to(blocks, true);
  CurveChart accuracy("accuracy", "Accuracy", "share that is right");
  accuracy.add_if_measured("tokens, training batch",
                           column(m.training(), &TrainingRow::token_accuracy));
  accuracy.add_if_measured("tokens, held-out data",
                           column(m.validation(), &ValidationRow::token_accuracy));
  accuracy.add_if_measured("whole sequences, held-out data",
                           column(m.validation(), &ValidationRow::accuracy));
  accuracy.append_to(blocks, false);
}

// One chart of a column, a series a run.
template <typename Row>
void add_column(Runs runs, const std::vector<Row>& (Metrics::*rows)() const, double Row::*member,
                CurveChart chart, bool log_if_wide, std::vector<Block>& blocks) {
  for (const RunReport& run : runs) chart.add(run.name, column((run.metrics.*rows)(), member));
  chart.append_to(blocks, log_if_wide);
}

void add_curves_of_several(Runs runs, std::vector<Block>& blocks) {
  const std::string loss = loss_label(runs), share = "share that is right";
  add_column(runs, &Metrics::training, &TrainingRow::loss,
             {"training-loss", "Loss of the training batch", loss}, true, blocks);
  add_column(runs, &Metrics::validation, &ValidationRow::validation_loss,
             {"validation-loss", "Loss on held-out data", loss}, true, blocks);
  add_column(runs, &Metrics::training, &TrainingRow::token_accuracy,
             {"training-accuracy", "Tokens right in the training batch", share}, false, blocks);
  add_column(runs, &Metrics::validation, &ValidationRow::token_accuracy,
             {"validation-accuracy", "Tokens right on held-out data", share}, false, blocks);
  add_column(runs, &Metrics::validation, &ValidationRow::accuracy,
             {"sequence-accuracy", "Whole sequences right on held-out data", share}, false, blocks);
}

Section curves_section(Runs runs) {
  Section section{"Learning", {}};
  if (runs.size() == 1) {
    add_one_runs_curves(runs.front(), section.blocks);
  } else {
    add_curves_of_several(runs, section.blocks);
  }
  add_column(runs, &Metrics::training, &TrainingRow::lr,
             {"learning-rate", "Learning rate", "learning rate"}, false, section.blocks);
  add_column(runs, &Metrics::training, &TrainingRow::grad_norm,
             {"gradient-norm", "Norm of the gradient, before clipping", "global norm"}, true,
             section.blocks);
  add_column(runs, &Metrics::training, &TrainingRow::tokens_per_s,
             {"throughput", "Speed of the training steps", "tokens per second"}, false,
             section.blocks);
  return section;
}

// --- the summary ---

double median_speed(const Metrics& metrics) {
  std::vector<double> speeds;
  for (const TrainingRow& row : metrics.training()) {
    if (std::isfinite(row.tokens_per_s)) speeds.push_back(row.tokens_per_s);
  }
  if (speeds.empty()) return std::numeric_limits<double>::quiet_NaN();
  return std::round((*estimate_with_quantiles(speeds).quantiles)[1]);
}

std::string percent(double share) {
  return std::isnan(share) ? "-" : fmt::format("{:.2f} %", 100 * share);
}

std::string loss_text(double loss) { return std::isnan(loss) ? "-" : fmt::format("{:.4f}", loss); }

std::string model_text(const ModelConfig& m) {
  const ModelTraits& traits = traits_of(m.kind);
  std::string text = fmt::format("{}, {} layer{}", traits.name, m.layers, m.layers == 1 ? "" : "s");
  if (traits.attends) text += fmt::format(" of {} head{}", m.heads, m.heads == 1 ? "" : "s");
  return text + fmt::format(", width {}", m.d_model);
}

// What the summary says of one run, in the order of kFacts.
constexpr const char* kFacts[] = {"task",
                                  "model",
                                  "parameters",
                                  "seed",
                                  "steps made",
                                  "training loss, last step",
                                  "validation loss, last measured",
                                  "tokens right on held-out data",
                                  "whole sequences right",
                                  "tokens per second, median",
                                  "digest of the parameters"};

std::vector<std::string> facts_of(const RunReport& run) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  const Metrics& m = run.metrics;
  const double loss = m.training().empty() ? kNone : m.training().back().loss;
  const ValidationRow last =
      m.validation().empty() ? ValidationRow{0, kNone, kNone, kNone} : m.validation().back();
  const double speed = median_speed(m);
  return {run.config.task.name,
          model_text(run.config.model),
          fmt::format("{}", run.parameters),
          fmt::format("{}", run.config.train.seed),
          fmt::format("{} of {}", run.step, run.config.train.steps),
          loss_text(loss),
          loss_text(last.validation_loss),
          percent(last.token_accuracy),
          percent(last.accuracy),
          std::isnan(speed) ? "-" : fmt::format("{:.0f}", speed),
          run.digest.substr(0, 16)};
}

std::vector<std::string> warnings_of(const RunReport& run) {
  std::vector<std::string> warnings;
  for (const std::string& w : run.warnings) warnings.push_back(fmt::format("{}: {}", run.name, w));
  return warnings;
}

Section summary_section(Runs runs) {
  Table table{"summary", "", {""}, {}};  // the section has the title
  for (const char* fact : kFacts) table.rows.push_back({std::string(fact)});
  for (const RunReport& run : runs) {
    table.columns.push_back(run.name);
    const auto facts = facts_of(run);
    for (std::size_t i = 0; i < facts.size(); ++i) table.rows[i].push_back(facts[i]);
  }
  Section section{"Summary", {}};
  for (const RunReport& run : runs) {  // before the table, which has a "-" for what is missing
    for (const std::string& warning : warnings_of(run)) {
      section.blocks.emplace_back(Paragraph{warning});
    }
  }
  section.blocks.emplace_back(std::move(table));
  for (const RunReport& run : runs) {
    for (const std::string& note : run.notes) {
      section.blocks.emplace_back(Paragraph{fmt::format("{}: {}", run.name, note)});
    }
  }
  return section;
}

// --- what the model does ---

std::string title_of(Runs runs, const RunReport& run, const std::string& title) {
  return runs.size() == 1 ? title : fmt::format("{}: {}", run.name, title);
}

Section samples_section(Runs runs) {
  Section section{"Samples", {}};
  for (const RunReport& run : runs) {
    if (run.samples.empty()) continue;
    section.blocks.emplace_back(SampleList{runs.size() == 1 ? "" : run.name, run.samples});
  }
  return section;
}

Section attention_section(Runs runs) {
  Section section{"Attention", {}};
  for (const RunReport& run : runs) {
    for (const AttentionMaps& maps : run.maps) {
      std::string note;
      AttentionMaps fitted = fitted_maps(maps, kMostWeights, note);
      fitted.title = title_of(runs, run, fitted.title);
      section.blocks.emplace_back(std::move(fitted));
      if (!note.empty()) section.blocks.emplace_back(Paragraph{note});
    }
  }
  return section;
}

Section configuration_section(Runs runs) {
  Section section{"Configuration", {}};
  for (const RunReport& run : runs) {
    section.blocks.emplace_back(Listing{title_of(runs, run, "all keys"), to_toml(run.config)});
  }
  return section;
}

}  // namespace

void add_runs(Document& document, Runs runs) {
  std::vector<Section> sections = {summary_section(runs), curves_section(runs),
                                   samples_section(runs), attention_section(runs)};
  for (const RunReport& run : runs) {
    for (std::string& warning : warnings_of(run)) document.warnings.push_back(std::move(warning));
    for (Section& section : probe_sections(run.metrics.probes(), run.attention.layers)) {
      section.title = title_of(runs, run, section.title);
      sections.push_back(std::move(section));
    }
  }
  sections.push_back(configuration_section(runs));
  for (Section& section : sections) {
    if (!section.blocks.empty()) document.sections.push_back(std::move(section));
  }
}

}  // namespace tapehead
