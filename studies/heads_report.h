#pragma once

#include <optional>
#include <vector>

#include "analysis/attention_labels.h"
#include "data/task.h"
#include "studies/head_measures.h"
#include "studies/study.h"

namespace tapehead {

/// What the study of heads measured.
struct HeadsData {
  std::vector<AttentionLayer> layers;
  MeasuredHeads held_out;                 ///< on held-out rows
  std::optional<MeasuredHeads> repeated;  ///< on repeated random tokens
  /// Of every head, in the order of the layers: by how much the loss rises and the token accuracy
  /// falls without it, over held-out rows.
  std::vector<Estimate> losses, accuracy_drops;
  Index seed = 0;  ///< of the run
  Index rows = 0;  ///< of the ablation
};

/// Adds tables, charts, findings and limits.
void report_heads(const HeadsData& data, const Task& task, StudyResult& result);

}  // namespace tapehead
