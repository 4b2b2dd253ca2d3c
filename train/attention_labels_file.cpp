#include "train/attention_labels_file.h"

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/error.h"

namespace tapehead {

namespace {

constexpr const char* kAttention = "attention";

constexpr std::array<std::pair<AttentionKind, std::string_view>, 3> kKindWords = {{
    {AttentionKind::kSelf, "self"},
    {AttentionKind::kCross, "cross"},
    {AttentionKind::kSource, "source"},
}};

std::string kind_word(AttentionKind kind) {
  for (const auto& [known, word] : kKindWords) {
    if (known == kind) return std::string(word);
  }
  throw ValueError("metrics: an attention layer of a kind that has no word");
}

AttentionKind kind_of_word(const Hdf5File& file, std::string_view found) {
  for (const auto& [kind, word] : kKindWords) {
    if (word == found) return kind;
  }
  throw IoError(fmt::format("{}: {}/kinds holds '{}'; a kind is self, cross or source", file.path(),
                            kAttention, found));
}

}  // namespace

void write_attention_labels(Hdf5File& file, const AttentionLabels& labels) {
  if (labels.layers.empty()) return;
  std::vector<std::string> paths, kinds;
  std::vector<Index> heads;
  for (const AttentionLayer& layer : labels.layers) {
    paths.push_back(layer.path);
    kinds.push_back(kind_word(layer.kind));
    heads.push_back(layer.heads);
  }
  const std::string group(kAttention);
  file.write_strings(group + "/layers", paths);
  file.write_strings(group + "/kinds", kinds);
  file.write<Index>(group + "/heads", heads, {static_cast<Index>(heads.size())},
                    Hdf5Storage::kChecksummed);
  file.write_strings(group + "/symbols", labels.symbols);
  file.write_strings(group + "/source_symbols", labels.source_symbols);
}

AttentionLabels read_attention_labels(const Hdf5File& file) {
  AttentionLabels labels;
  const std::string group(kAttention);
  if (!file.exists(group)) return labels;
  for (std::string& path : file.read_strings(group + "/layers")) {
    labels.layers.push_back({.path = std::move(path)});
  }
  const std::vector<std::string> kinds = file.read_strings(group + "/kinds");
  std::vector<Index> heads(labels.layers.size());
  file.read_into<Index>(group + "/heads", heads, {static_cast<Index>(heads.size())});
  if (kinds.size() != heads.size()) {
    throw IoError(fmt::format("{}: {} has {} layers and {} kinds; each layer has one", file.path(),
                              group, heads.size(), kinds.size()));
  }
  for (std::size_t i = 0; i < heads.size(); ++i) {
    labels.layers[i].kind = kind_of_word(file, kinds[i]);
    labels.layers[i].heads = heads[i];
  }
  labels.symbols = file.read_strings(group + "/symbols");
  labels.source_symbols = file.read_strings(group + "/source_symbols");
  return labels;
}

}  // namespace tapehead
