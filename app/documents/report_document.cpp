#include "app/documents/report_document.h"

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/documents/run_report.h"
#include "app/documents/study_document.h"
#include "base/error.h"
#include "studies/study_cells.h"
#include "studies/study_files.h"
#include "studies/study_registry.h"
#include "train/checkpoint_folder.h"
#include "train/run_folder.h"

namespace tapehead {

namespace fs = std::filesystem;

namespace {

// What the folders hold, in their order.
struct Sources {
  std::vector<RunReport> runs;
  std::vector<StudyResult> studies;
};

[[noreturn]] void throw_unfinished(const fs::path& folder) {
  const auto found = unfinished_study(folder);
  if (!found) {
    throw IoError(fmt::format(
        "{}: a study here is not finished, and its cells.json is damaged; make it again with "
        "tapehead study NAME --out {}",
        folder.string(), folder.string()));
  }
  const auto info = std::ranges::find(studies(), found->study, &StudyInfo::name);
  const bool needs_run = info != studies().end() && info->needs_run;
  throw IoError(fmt::format(
      "{}: the study {} here is not finished; go on with: tapehead study {}{}{} --out {}",
      folder.string(), found->study, found->study, needs_run ? " RUN" : "",
      found->quick ? " --quick" : "", folder.string()));
}

void read_folder(const fs::path& folder, Sources& sources) {
  std::error_code failed;
  if (!fs::is_directory(folder, failed)) {
    const bool is_there = fs::exists(folder, failed);
    throw IoError(fmt::format("{}: {}", folder.string(),
                              is_there ? "is a file; name the folder of a run or study"
                                       : "there is no such folder; name a run's or a study's"));
  }
  if (fs::exists(folder / "study.json", failed)) {
    sources.studies.push_back(read_study(folder));
  } else if (fs::exists(config_path(folder), failed) || !list_checkpoints(folder).empty()) {
    sources.runs.push_back(read_run_report(folder));
  } else if (fs::exists(folder / "cells.json", failed)) {
    throw_unfinished(folder);
  } else {
    throw IoError(fmt::format(
        "{}: this folder holds neither a run nor a study; a study that was stopped is finished by "
        "tapehead study NAME --out {}",
        folder.string(), folder.string()));
  }
}

// Where two runs have one name, the folders tell them apart.
void name_apart(std::span<const fs::path> folders, Sources& sources) {
  for (const RunReport& run : sources.runs) {
    if (std::ranges::count(sources.runs, run.name, &RunReport::name) < 2) continue;
    std::size_t i = 0;
    for (const fs::path& folder : folders) {
      if (fs::exists(folder / "study.json")) continue;
      sources.runs[i++].name = folder.lexically_normal().string();
    }
    return;
  }
}

std::string sources_title(const Sources& sources) {
  std::vector<std::string> names;
  for (const RunReport& run : sources.runs) names.push_back(run.name);
  for (const StudyResult& study : sources.studies) names.push_back("study " + study.study);
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string sources_subtitle(const Sources& sources) {
  if (sources.runs.empty() && sources.studies.size() == 1) {
    return question_text(sources.studies[0]);
  }
  if (sources.runs.size() == 1 && sources.studies.empty()) {
    const RunReport& run = sources.runs[0];
    return fmt::format("{} on the task {}, {} parameters, {} steps",
                       traits_of(run.config.model.kind).name, run.config.task.name, run.parameters,
                       run.step);
  }
  std::vector<std::string> parts;
  const std::size_t runs = sources.runs.size(), studies = sources.studies.size();
  if (runs > 0) parts.push_back(fmt::format("{} run{}", runs, runs == 1 ? "" : "s"));
  if (studies > 0) parts.push_back(fmt::format("{} stud{}", studies, studies == 1 ? "y" : "ies"));
  for (const StudyResult& study : sources.studies) {
    if (study.quick) parts.push_back(study.study + " in its quick version");
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace

Document report_document(std::span<const fs::path> folders) {
  Sources sources;
  for (const fs::path& folder : folders) read_folder(folder, sources);
  name_apart(folders, sources);
  Document document{sources_title(sources), sources_subtitle(sources), {}};
  if (!sources.runs.empty()) add_runs(document, sources.runs);
  const bool alone = sources.runs.empty() && sources.studies.size() == 1;
  for (const StudyResult& study : sources.studies) {
    add_study_sections(document, study, alone ? "" : study.study + ": ");
  }
  return document;
}

}  // namespace tapehead
