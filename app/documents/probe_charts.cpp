#include "app/documents/probe_charts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "analysis/probe_infos.h"
#include "figures/curves.h"

namespace tapehead {

namespace {

constexpr std::size_t kMostProbed = 400;

std::string_view group_of(std::string_view probe) { return probe.substr(0, probe.find('/')); }

// Where a chart stands: by its section, then in the order of the list of probes; unknown ones last.
std::pair<std::ptrdiff_t, std::ptrdiff_t> place_on_page(const std::string& probe) {
  constexpr std::array<std::string_view, 3> kSections = {"entropy", "logits", "gradients"};
  const std::string_view group = group_of(probe);
  const auto section = std::ranges::find(kSections, group) - kSections.begin();
  const auto info = std::ranges::find(probe_infos(), group, &ProbeInfo::name);
  if (info == probe_infos().end()) return {section, 0};
  return {section, std::ranges::find(info->samples, probe, &ProbeInfo::Sample::name) -
                       info->samples.begin()};
}

std::string section_title(std::string_view group) {
  const auto info = std::ranges::find(probe_infos(), group, &ProbeInfo::name);
  return std::string(info == probe_infos().end() ? group : info->title);
}

Chart titled_chart(const std::string& probe) {
  Chart chart;
  chart.name = probe;
  chart.title = probe;
  chart.x_label = "training step";
  chart.y_label = "value";
  if (const ProbeInfo::Sample* known = find_probe_sample(probe)) {
    chart.title = known->title;
    chart.y_label = known->unit;
  }
  return chart;
}

// By its number if `layers` are not known, or not those of the probe.
std::string layer_name(const std::vector<AttentionLayer>& layers, std::size_t count,
                       std::size_t i) {
  return layers.size() == count ? layer_title(layers, i) : fmt::format("layer {}", i + 1);
}

// Where value i of a sample is from.
std::string place_name(const std::vector<AttentionLayer>& layers, const std::vector<Index>& shape,
                       std::size_t i) {
  const auto count = static_cast<std::size_t>(shape[0]);
  if (shape.size() == 1) return layer_name(layers, count, i);
  const auto heads = static_cast<std::size_t>(shape[1]);
  return fmt::format("{}, head {}", layer_name(layers, count, i / heads), i % heads + 1);
}

Chart probe_chart(const std::string& probe, const std::vector<const ProbeSample*>& samples,
                  const std::vector<AttentionLayer>& layers) {
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
                                    const std::vector<AttentionLayer>& layers) {
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
