#pragma once

#include <vector>

#include "analysis/attention_labels.h"
#include "analysis/probe_sample.h"
#include "data/task.h"
#include "train/build_model.h"
#include "train/config/config.h"

// What is recorded of a model's attention while it is trained: train.probe (analysis/probe_infos.h
// has the list), train.probe_every.

namespace tapehead {

/// What a configuration asks for, and how much of it is looked at.
struct ProbePlan {
  bool attention = false, logits = false, entropy = false, gradients = false;
  Index rows = 0;                 ///< held-out rows of one record, for all but attention weights
  double weights_of_a_row = 0;    ///< attention weights that one row of the task has
  double values_of_a_record = 0;  ///< numbers that one record leaves in metrics.h5, about
  Index records = 0;              ///< in the whole training, about

  bool any() const { return attention || logits || entropy || gradients; }
  /// Bytes that a record's pass needs at least.
  double pass_bytes() const;
};

/// Of a checked configuration. "auto" leaves out attention weights where one row has more than
/// kMostWeightsOfARecord, and everything where it has more than kMostWeightsOfAPass.
ProbePlan plan_probes(const Config& config, const ModelSizes& sizes);
inline constexpr Index kMostWeightsOfARecord = Index{1} << 18;  // 1 MiB
/// Fewer rows are looked at where 32 would have more weights than this: 64 MiB.
inline constexpr Index kMostWeightsOfAPass = Index{1} << 24;

/// What was seen after one step, and what its layers and positions are called.
struct ProbeRecord {
  std::vector<ProbeSample> samples;
  AttentionLabels labels;
};

/// Takes the samples. Each record is a pass of its own over fixed held-out rows, without dropout:
/// it changes no bit of the training, and has the same bits for any number of threads.
class Probe {
 public:
  Probe(const Config& config, const Task& task, const Model& model, int threads);

  bool any() const { return plan_.any(); }
  /// True if what train.probe_every says is to be recorded after so many updates: step 0, the last
  /// one, and those between.
  bool due(Index step) const;
  /// The samples after `step` updates, by name. `step_gradients` are the last update's, laid out as
  /// the model's store; null: they are not known.
  ProbeRecord record(Index step, const Tensor<float>* step_gradients) const;

 private:
  const Config& config_;
  const Task& task_;
  const Model& model_;
  int threads_;
  ProbePlan plan_;
};

}  // namespace tapehead
