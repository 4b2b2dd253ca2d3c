#include "report/svg.h"

#include <set>

#include <fmt/format.h>

#include "base/atomic_file.h"
#include "base/error.h"
#include "report/escape.h"
#include "report/svg_chart.h"
#include "report/svg_map.h"

namespace tapehead {

namespace {

namespace fs = std::filesystem;

// Writes pictures under names that differ.
class PictureFolder {
 public:
  explicit PictureFolder(const fs::path& folder) : folder_(folder) {
    std::error_code failed;
    fs::create_directories(folder, failed);
    if (failed) {
      throw IoError(
          fmt::format("{}: cannot make the folder: {}", folder.string(), failed.message()));
    }
  }

  void write(const std::string& name, const std::string& picture) {
    std::string unique = name;
    for (int n = 2; !names_.insert(unique).second; ++n) unique = fmt::format("{}-{}", name, n);
    paths_.push_back(folder_ / (unique + ".svg"));
    replace_file(paths_.back(), picture);
  }

  std::vector<fs::path> take_paths() { return std::move(paths_); }

 private:
  fs::path folder_;
  std::set<std::string> names_;
  std::vector<fs::path> paths_;
};

void write_maps(PictureFolder& pictures, const AttentionMaps& maps) {
  if (maps.steps.empty() || maps.layers.empty()) return;
  const std::size_t last = maps.steps.size() - 1;
  const HeadChoice choice = most_decided_head(maps, last);
  const std::string name = file_name(maps.name);
  pictures.write(name + "-heads", heads_svg(maps, last));
  pictures.write(fmt::format("{}-layer-{}-head-{}", name, choice.layer + 1, choice.head + 1),
                 head_svg(maps, last, choice));
}

}  // namespace

std::vector<fs::path> write_svgs(const fs::path& folder, const Document& document) {
  PictureFolder pictures(folder);
  for (const Section& section : document.sections) {
    for (const Block& block : section.blocks) {
      if (const auto* chart = std::get_if<Chart>(&block)) {
        pictures.write(file_name(chart->name), chart_svg(*chart));
      } else if (const auto* maps = std::get_if<AttentionMaps>(&block)) {
        write_maps(pictures, *maps);
      }
    }
  }
  return pictures.take_paths();
}

}  // namespace tapehead
