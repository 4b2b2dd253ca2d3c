#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "figures/attention_maps.h"
#include "figures/figures.h"
#include "figures/sample.h"
#include "report/document.h"
#include "train/config/config.h"
#include "train/metrics.h"

namespace tapehead {

/// What a report shows of one run.
struct RunReport {
  std::string name;
  Config config;
  Index step = 0;  ///< of the checkpoint that samples and digest are of
  Index parameters = 0;
  std::string digest;
  bool real = false;  ///< predicts real numbers, whose loss is the mean squared error
  Metrics metrics;
  std::vector<Sample> samples;        ///< of the first held-out rows
  std::vector<AttentionMaps> maps;    ///< of held-out row 0: as probed, or of the checkpoint
  AttentionLabels attention;          ///< of held-out row 0; without layers if not known
  std::vector<std::string> notes;     ///< what is left out, and why
  std::vector<std::string> warnings;  ///< what could not be read, and why
};

/// Reads a run's folder, and lets its model answer some held-out rows. What cannot be had (damaged
/// metrics, a text that was moved) becomes a warning. Throws IoError if the folder is no run's or
/// has no good checkpoint.
RunReport read_run_report(const std::filesystem::path& run);

/// Appends the sections about runs: summary, curves over the steps (several runs in one chart),
/// samples, attention maps, probes, configuration; and what the runs warn of.
void add_runs(Document& document, std::span<const RunReport> runs);

/// The name as which a report shows a folder: its last part.
std::string shown_name(const std::filesystem::path& folder);

}  // namespace tapehead
