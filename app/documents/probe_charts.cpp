#include "app/documents/probe_charts.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include "figures/curves.h"

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

// Probes stand in the order of the table, others after them.
std::ptrdiff_t place_on_page(const std::string& probe) {
  return std::ranges::find(kProbeTitles, probe, &ProbeTitle::probe) - kProbeTitles.begin();
}

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

// Of an encoder and a decoder: "encoder layer 1", "decoder layer 1", "decoder layer 1 to source".
// Else, and where the path is another: "layer 1" by its number.
std::string layer_name(const std::vector<std::string>& layers, std::size_t count, std::size_t i) {
  const std::string plain = fmt::format("layer {}", i + 1);
  if (layers.size() != count) return plain;
  const std::string& path = layers[i];
  const std::size_t blocks = path.find(".blocks.");
  if (blocks == std::string::npos) return plain;
  const std::size_t number = blocks + std::string_view(".blocks.").size();
  Index block = 0;
  const auto [end, error] = std::from_chars(path.data() + number, path.data() + path.size(), block);
  if (error != std::errc()) return plain;
  return fmt::format("{} layer {}{}", path.substr(0, blocks), block + 1,
                     path.ends_with("cross_attention") ? " to source" : "");
}

// Where value i of a sample is from.
std::string place_name(const std::vector<std::string>& layers, const std::vector<Index>& shape,
                       std::size_t i) {
  const auto count = static_cast<std::size_t>(shape[0]);
  if (shape.size() == 1) return layer_name(layers, count, i);
  const auto heads = static_cast<std::size_t>(shape[1]);
  return fmt::format("{}, head {}", layer_name(layers, count, i / heads), i % heads + 1);
}

Chart probe_chart(const std::string& probe, const std::vector<const ProbeSample*>& samples,
                  const std::vector<std::string>& layers) {
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
    chart.series.push_back(curve(place_name(layers, shape, i), measured, bucket));
  }
  constexpr double kWide = 50;
  chart.log_y = positive && group_of(probe) == "gradients" && high > kWide * low;
  chart.note = bucket_note(bucket);
  return chart;
}

}  // namespace

std::vector<Section> probe_sections(const std::vector<ProbeSample>& probes,
                                    const std::vector<std::string>& layers) {
  std::vector<std::string> names;
  for (const ProbeSample& p : probes) {
    const bool curve = p.shape.size() == 1 || p.shape.size() == 2;
    if (curve && std::ranges::find(names, p.name) == names.end()) names.push_back(p.name);
  }
  std::ranges::stable_sort(names, {}, place_on_page);
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
    section->blocks.emplace_back(probe_chart(name, samples, layers));
  }
  return sections;
}

}  // namespace tapehead
