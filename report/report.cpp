#include "report/report.h"

#include <algorithm>
#include <fstream>
#include <optional>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/atomic_file.h"
#include "base/error.h"
#include "report/html.h"
#include "report/text_table.h"

namespace tapehead {

namespace fs = std::filesystem;

void write_report(const fs::path& path, const Document& document) {
  const fs::path folder = fs::absolute(path).parent_path();
  std::error_code failed;
  if (!fs::is_directory(folder, failed)) {
    throw ValueError(fmt::format("{}: there is no folder {} to write it to; make it first",
                                 path.string(), folder.string()));
  }
  if (fs::is_directory(path, failed)) {
    throw ValueError(fmt::format("{}: is a folder; name a file to write, such as {}", path.string(),
                                 (path / "report.html").string()));
  }
  if (fs::exists(path, failed)) {
    const std::string_view beginning = kHtmlBeginning;
    std::string first(beginning.size(), '\0');
    std::ifstream file(path, std::ios::binary);
    file.read(first.data(), static_cast<std::streamsize>(first.size()));
    if (!fs::is_regular_file(path, failed) || first != beginning) {
      throw ValueError(fmt::format(
          "{}: this exists already and is no report of ours, so it is kept; name another file",
          path.string()));
    }
  }
  replace_file(path, to_html(document));
}

namespace {

constexpr std::size_t kMostCurves = 3, kShownSamples = 2;

// Writes a document's blocks as text.
class TerminalWriter {
 public:
  explicit TerminalWriter(TextStyle style) : style_(style) {}

  void operator()(const Heading& heading) { add(heading.text + "\n"); }
  void operator()(const Paragraph& paragraph) { add(paragraph.text + "\n"); }
  void operator()(const Listing&) {}
  void operator()(const Table& table) { add(table_text(table)); }

  void operator()(const BulletList& list) {
    std::string text;
    for (const std::string& item : list.items) text += fmt::format("- {}\n", item);
    add(text);
  }

  void operator()(const SampleList& list) {
    if (!list.title.empty()) add(list.title + "\n");
    for (std::size_t i = 0; i < std::min(kShownSamples, list.samples.size()); ++i) {
      add(sample_text(list.samples[i]));
    }
  }

  void operator()(const Chart& chart) {
    if (had_chart_ || !chart.categories.empty()) return;
    had_chart_ = true;
    for (std::size_t s = 0; s < std::min(kMostCurves, chart.series.size()); ++s) {
      add(curve_text(chart, s, style_));
    }
  }

  void operator()(const AttentionMaps& maps) {
    if (maps.steps.empty() || maps.layers.empty()) return;
    const std::size_t last = maps.steps.size() - 1;
    add(maps.title + ": " + head_text(maps, last, most_decided_head(maps, last), style_));
  }

  std::string take() { return styled_text(text_, style_); }

 private:
  void add(const std::string& text) {
    if (!text.empty()) text_ += text + "\n";
  }

  TextStyle style_;
  bool had_chart_ = false;
  std::string text_;
};

}  // namespace

std::string terminal_view(const Document& document, TextStyle style) {
  TerminalWriter writer(style);
  writer(Paragraph{document.title + "\n" + document.subtitle});
  for (const Section& section : document.sections) {
    for (const Block& block : section.blocks) std::visit(writer, block);
  }
  return writer.take();
}

}  // namespace tapehead
