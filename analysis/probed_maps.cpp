#include "analysis/probed_maps.h"

#include <algorithm>

#include <fmt/format.h>

namespace tapehead {

namespace {

Index query_count(const AttentionMaps& maps) { return static_cast<Index>(maps.queries.size()); }
Index key_count(const AttentionMaps& maps) { return static_cast<Index>(maps.keys.size()); }

std::vector<std::string> position_numbers(Index count) {
  std::vector<std::string> result;
  for (Index i = 0; i < count; ++i) result.push_back(fmt::format("{}", i));
  return result;
}

}  // namespace

std::string maps_title(const std::string& name) {
  if (name == "attention/cross") return "Attention to the source";
  if (name == "attention/source") return "Attention within the source";
  if (name == "attention/weights") return "Attention";
  return name;
}

std::vector<AttentionMaps> probed_maps(const std::vector<ProbeSample>& probes,
                                       const std::vector<AttentionMaps>& known) {
  std::vector<AttentionMaps> result;
  for (const ProbeSample& sample : probes) {
    if (!sample.name.starts_with("attention/") || sample.shape.size() != 4) continue;
    auto maps = std::ranges::find(result, sample.name, &AttentionMaps::name);
    if (maps == result.end()) {
      const auto like = std::ranges::find(known, sample.name, &AttentionMaps::name);
      AttentionMaps fresh;
      if (like != known.end()) fresh = *like;
      fresh.name = sample.name;
      fresh.title = maps_title(sample.name);
      fresh.heads = sample.shape[1];
      fresh.steps.clear();
      fresh.weights.clear();
      // What is not known is numbered.
      if (static_cast<Index>(fresh.layers.size()) != sample.shape[0]) {
        fresh.layers.clear();
        for (Index i = 0; i < sample.shape[0]; ++i) {
          fresh.layers.push_back(fmt::format("layer {}", i + 1));
        }
      }
      if (query_count(fresh) != sample.shape[2]) fresh.queries = position_numbers(sample.shape[2]);
      if (key_count(fresh) != sample.shape[3]) fresh.keys = position_numbers(sample.shape[3]);
      maps = result.insert(result.end(), std::move(fresh));
    }
    maps->steps.push_back(sample.step);
    maps->weights.push_back(sample.values);
  }
  return result;
}

}  // namespace tapehead
