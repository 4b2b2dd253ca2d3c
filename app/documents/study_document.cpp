#include "app/documents/study_document.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "figures/attention_maps.h"
#include "report/axis.h"

namespace tapehead {

namespace {

constexpr std::size_t kMostStudyWeights = 8'000'000;  // of a page's map: some 20 MB

bool has_error_bars(const StudyResult& study) {
  for (const Chart& chart : study.charts) {
    for (const ChartSeries& series : chart.series) {
      if (std::ranges::any_of(series.points, has_bar)) return true;
    }
  }
  return false;
}

Section findings_section(const StudyResult& study, const std::string& prefix) {
  Section section{prefix + "Findings", {}};
  if (!prefix.empty())
    section.blocks.emplace_back(Paragraph{question_text(study)});  // else the subtitle
  section.blocks.emplace_back(BulletList{study.findings});
  if (!study.limits.empty()) {
    section.blocks.emplace_back(Paragraph{"What does not follow: " + study.limits});
  }
  return section;
}

Section pictures_section(const StudyResult& study, const std::string& prefix) {
  Section section{prefix + "Charts", {}};
  if (has_error_bars(study)) {
    section.blocks.emplace_back(Paragraph{
        "Error bars: one standard error of the mean to each side, unless a chart says otherwise."});
  }
  for (const Chart& chart : study.charts) section.blocks.emplace_back(chart);
  for (const AttentionMaps& maps : study.maps) {
    std::string note;
    section.blocks.emplace_back(fitted_maps(maps, kMostStudyWeights, note));
    if (!note.empty()) section.blocks.emplace_back(Paragraph{note});
  }
  return section;
}

Section method_section(const StudyResult& study, const std::string& prefix) {
  Section section{prefix + "How it was measured", {Paragraph{study.settings}}};
  if (!study.seeds.empty()) {
    section.blocks.emplace_back(Paragraph{fmt::format("Seeds: {}.", fmt::join(study.seeds, ", "))});
  }
  if (study.quick) {
    section.blocks.emplace_back(Paragraph{
        "This is the quick version (--quick): fewer cells, samples or steps than the study has."});
  }
  return section;
}

}  // namespace

std::string question_text(const StudyResult& study) {
  return study.question + (study.quick ? " (quick version: fewer cells, samples or steps)" : "");
}

void add_study_sections(Document& document, const StudyResult& study, const std::string& prefix) {
  Section tables{prefix + "Tables", {}};
  for (const Table& table : study.tables) tables.blocks.emplace_back(table);
  for (Section& section :
       std::vector<Section>{findings_section(study, prefix), pictures_section(study, prefix),
                            std::move(tables), method_section(study, prefix)}) {
    if (!section.blocks.empty()) document.sections.push_back(std::move(section));
  }
}

}  // namespace tapehead
