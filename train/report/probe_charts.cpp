#include "train/report/probe_charts.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "train/report/curves.h"

namespace tapehead {

namespace {

constexpr std::size_t kMostProbed = 400;

// How a probe is called on a page.
struct ProbeTitle {
  const char* probe;
  const char* title;
  const char* unit;
};

constexpr std::array<ProbeTitle, 11> kProbeTitles = {{
    {"entropy/mean", "Entropy of a query's attention", "nats, mean over queries"},
    {"entropy/max_weight", "Largest weight of a query", "mean over queries"},
    {"entropy/above_0.99", "Queries with a weight above 0.99", "share of queries"},
    {"entropy/exact_one", "Queries with a weight of exactly 1", "share of queries"},
    {"logits/std", "Spread of the logits", "standard deviation"},
    {"logits/abs_mean", "Size of the logits", "mean absolute value"},
    {"logits/max", "Largest logit", "logit"},
    {"gradients/q", "Gradient at the queries", "norm"},
    {"gradients/k", "Gradient at the keys", "norm"},
    {"gradients/v", "Gradient at the values", "norm"},
    {"gradients/logits", "Gradient at the logits", "norm"},
}};

std::string group_of(const std::string& probe) { return probe.substr(0, probe.find('/')); }

std::string section_title(const std::string& group) {
  if (group == "entropy") return "Entropy and saturation";
  if (group == "logits") return "Logits";
  if (group == "gradients") return "Gradients";
  return group;
}

Chart titled_chart(const std::string& probe) {
  Chart chart;
  chart.name = probe;
  chart.title = probe;
  chart.x_label = "training step";
  chart.y_label = "value";
  const auto known = std::ranges::find(kProbeTitles, probe, &ProbeTitle::probe);
  if (known != kProbeTitles.end()) {
    chart.title = known->title;
    chart.y_label = known->unit;
  } else if (group_of(probe) == "gradients") {
    chart.title = "Gradient of " + probe.substr(probe.find('/') + 1);
    chart.y_label = "norm";
  }
  return chart;
}

// "layer 1" or "layer 1, head 2" of value i.
std::string place_name(const std::vector<Index>& shape, Index i) {
  if (shape.size() == 1) return fmt::format("layer {}", i + 1);
  return fmt::format("layer {}, head {}", i / shape[1] + 1, i % shape[1] + 1);
}

Chart probe_chart(const std::string& probe, const std::vector<const ProbeSample*>& samples) {
  Chart chart = titled_chart(probe);
  const Index bucket = bucket_size(samples.size(), kMostProbed);
  bool positive = true;
  double low = std::numeric_limits<double>::infinity(), high = 0;
  const std::vector<Index>& shape = samples.front()->shape;
  for (std::size_t i = 0; i < samples.front()->values.size(); ++i) {
    std::vector<Measured> measured;
    for (const ProbeSample* sample : samples) {
      const auto value = static_cast<double>(sample->values[i]);
      measured.push_back({sample->step, value});
      if (!std::isfinite(value)) continue;
      positive = positive && value > 0;
      low = std::min(low, value);
      high = std::max(high, value);
    }
    chart.series.push_back(curve(place_name(shape, static_cast<Index>(i)), measured, bucket));
  }
  constexpr double kWide = 50;
  chart.log_y = positive && group_of(probe) == "gradients" && high > kWide * low;
  chart.note = bucket_note(bucket);
  return chart;
}

}  // namespace

std::vector<Section> probe_sections(const std::vector<ProbeSample>& probes) {
  std::vector<std::string> names;
  for (const ProbeSample& p : probes) {
    const bool curve = p.shape.size() == 1 || p.shape.size() == 2;
    if (curve && std::ranges::find(names, p.name) == names.end()) names.push_back(p.name);
  }
  std::vector<Section> sections;
  for (const std::string& name : names) {
    std::vector<const ProbeSample*> samples;
    for (const ProbeSample& p : probes) {
      const bool fits = samples.empty() || p.values.size() == samples.front()->values.size();
      if (p.name == name && fits) samples.push_back(&p);
    }
    const std::string title = section_title(group_of(name));
    auto section = std::ranges::find(sections, title, &Section::title);
    if (section == sections.end()) section = sections.insert(sections.end(), Section{title, {}});
    section->blocks.emplace_back(probe_chart(name, samples));
  }
  return sections;
}

}  // namespace tapehead
