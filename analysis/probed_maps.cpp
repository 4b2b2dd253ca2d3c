#include "analysis/probed_maps.h"

#include <algorithm>

#include <fmt/format.h>

#include "analysis/probe_infos.h"

namespace tapehead {

namespace {

std::vector<std::string> position_numbers(Index count) {
  std::vector<std::string> result;
  for (Index i = 0; i < count; ++i) result.push_back(fmt::format("{}", i));
  return result;
}

bool has_size(const std::vector<std::string>& names, Index count) {
  return static_cast<Index>(names.size()) == count;
}

// Maps of one name, without the weights of any step.
AttentionMaps empty_maps(const ProbeSample& sample, const AttentionLabels& labels) {
  AttentionMaps maps;
  maps.name = sample.name;
  const ProbeInfo::Sample* info = find_probe_sample(sample.name);
  maps.title = info == nullptr ? sample.name : std::string(info->title);
  maps.heads = sample.shape[1];
  for (const AttentionLayer& layer : labels.layers) {
    if (weights_name(layer.kind) != sample.name) continue;
    maps.layers.push_back(layer.path);
    maps.queries = queries_source(layer.kind) ? labels.source_symbols : labels.symbols;
    maps.keys = looks_at_source(layer.kind) ? labels.source_symbols : labels.symbols;
  }
  if (!has_size(maps.layers, sample.shape[0])) {
    maps.layers.clear();
    for (Index i = 0; i < sample.shape[0]; ++i) {
      maps.layers.push_back(fmt::format("layer {}", i + 1));
    }
  }
  if (!has_size(maps.queries, sample.shape[2])) maps.queries = position_numbers(sample.shape[2]);
  if (!has_size(maps.keys, sample.shape[3])) maps.keys = position_numbers(sample.shape[3]);
  return maps;
}

}  // namespace

std::vector<AttentionMaps> probed_maps(const std::vector<ProbeSample>& probes,
                                       const AttentionLabels& labels) {
  std::vector<AttentionMaps> result;
  for (const ProbeSample& sample : probes) {
    if (!sample.name.starts_with("attention/") || sample.shape.size() != 4) continue;
    auto maps = std::ranges::find(result, sample.name, &AttentionMaps::name);
    if (maps == result.end()) maps = result.insert(result.end(), empty_maps(sample, labels));
    maps->steps.push_back(sample.step);
    maps->weights.push_back(sample.values);
  }
  return result;
}

}  // namespace tapehead
